import {
  type BaseContext,
  defineManifest,
  defineTool,
  type RequirementSet,
  type ToolDefinition,
  ToolError,
  text,
} from "@haft/contract"
import * as z from "zod"
import type { ForeignServer, ServerCall } from "../foreign-server.js"
import type { Connection } from "../wire/connection.js"
import { serverManifest, wordsOf } from "./foreign-tool.js"
import type { ServerOutput } from "./result.js"

/** The tools that read what servers offer besides tools: resources and prompts. None where no server offers any. */
export function offerTools(servers: readonly ForeignServer[]): readonly ToolDefinition[] {
  const offering = servers.filter(({ pin }) => pin.resources || pin.prompts)
  if (offering.length === 0) return []
  return [
    listTool(offering),
    ...(offering.some(({ pin }) => pin.resources) ? [readTool(offering.filter(({ pin }) => pin.resources))] : []),
    ...(offering.some(({ pin }) => pin.prompts) ? [promptTool(offering.filter(({ pin }) => pin.prompts))] : []),
  ]
}

type Work = (connection: Connection, signal: AbortSignal, context: BaseContext) => Promise<ServerOutput>

/** What the tools take that read what servers offer. */
export const offerInputs = {
  mcp_resources: z.strictObject({ server: z.string().describe("Which server") }),
  mcp_read: z.strictObject({
    server: z.string().describe("Which server"),
    uri: z.string().min(1).max(4000).describe("As mcp_resources gives it"),
  }),
  mcp_prompt: z.strictObject({
    server: z.string().describe("Which server"),
    name: z.string().min(1).max(200),
    arguments: z.record(z.string(), z.string()).default({}).describe("By the names that mcp_resources gives"),
  }),
}

/** The same, of these servers alone. */
function inputOf(id: keyof typeof offerInputs, servers: readonly ForeignServer[]): z.ZodObject {
  const server = z.enum(servers.map(({ entry }) => entry.name)).describe("Which server")
  return offerInputs[id].extend({ server })
}

function listTool(servers: readonly ForeignServer[]): ToolDefinition {
  return madeTool(servers, {
    id: "mcp_resources",
    title: "MCP resources",
    description:
      "Lists what an MCP server offers besides tools: resources to read and prompts. Use before mcp_read and mcp_prompt.",
    input: inputOf("mcp_resources", servers),
    work: () => async (connection, signal) => {
      const { resources, templates, prompts } = await connection.offers({ signal })
      const lines = [
        ...resources.map(({ uri, name, description }) => `resource ${uri} ${name}${about(description)}`),
        ...templates.map(
          ({ uriTemplate, name, description }) => `template ${uriTemplate} ${name}${about(description)}`,
        ),
        ...prompts.map(({ name, description, arguments: given = [] }) => {
          const names = given.map((each) => (each.required ? `${each.name}!` : each.name))
          return `prompt ${name}(${names.join(", ")})${about(description)}`
        }),
      ]
      return { server: connection.serverName, text: lines.join("\n") || "[Nothing]" }
    },
  })
}

function readTool(servers: readonly ForeignServer[]): ToolDefinition {
  return madeTool(servers, {
    id: "mcp_read",
    title: "MCP read",
    description: "Reads a resource of an MCP server by its address. Use for what mcp_resources lists.",
    input: inputOf("mcp_read", servers),
    work:
      ({ server, uri }) =>
      async (connection, signal, context) => {
        const { resourceOutput } = await import("./result.js")
        return resourceOutput(server, await connection.readResource(String(uri), { signal }), context)
      },
  })
}

function promptTool(servers: readonly ForeignServer[]): ToolDefinition {
  return madeTool(servers, {
    id: "mcp_prompt",
    title: "MCP prompt",
    description: "Gets a prompt of an MCP server, filled with arguments. Use for what mcp_resources lists.",
    input: inputOf("mcp_prompt", servers),
    work:
      ({ server, name, arguments: given }) =>
      async (connection, signal, context) => {
        const { promptOutput } = await import("./result.js")
        const { messages } = await connection.prompt(String(name), given as Record<string, string>, { signal })
        return promptOutput(server, messages, context)
      },
  })
}

interface Parts {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  readonly work: (input: Readonly<Record<string, unknown>> & { readonly server: string }) => Work
}

function madeTool(servers: readonly ForeignServer[], { work, ...described }: Parts): ToolDefinition {
  const named = (name: unknown) => servers.find(({ entry }) => entry.name === name)!
  const all = servers.map(serverManifest)
  const hosts = all.flatMap(({ requires }) => (requires as RequirementSet).net?.hosts ?? [])
  const manifest = defineManifest({
    ...all[0]!,
    ...described,
    requires: { capabilities: ["servers"], ...(hosts.length > 0 && { net: { hosts } }) } as RequirementSet,
    effects: ({ server }) => all[servers.indexOf(named(server))]?.effects() ?? [],
    subject: (input) => ({ kind: "arguments", values: input }),
  })
  return defineTool({
    manifest,
    messages: wordsOf(described.title),
    present: (output) => [text(output.text)],
    examples: async () => ({ examples: [] }),
    execute: async () => ({
      async execute(input: Readonly<Record<string, unknown>>, context: unknown) {
        const server = named(input.server)
        if (!server) throw new ToolError("not_found", `Cannot find the MCP server "${String(input.server)}"`)
        const call = context as BaseContext & ServerCall
        const asked = input as Readonly<Record<string, unknown>> & { readonly server: string }
        return server.use(call, (connection, signal) => work(asked)(connection, signal, call))
      },
    }),
  })
}

function about(description: string | undefined): string {
  const line = (description ?? "").replace(/\s+/g, " ").trim()
  return line === "" ? "" : `: ${line.length > 200 ? `${line.slice(0, 197)}...` : line}`
}
