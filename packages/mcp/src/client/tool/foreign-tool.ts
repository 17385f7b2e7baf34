import {
  type AnyManifest,
  type BaseContext,
  defineManifest,
  defineTool,
  type NamedEffect,
  type OutputLimit,
  type RequirementSet,
  type ToolDefinition,
  ToolError,
  type ToolMessages,
  text,
} from "@haft/contract"
import { inputSchema } from "@haft/runtime"
import * as z from "zod"
import type { ToolText } from "../entry/pin.js"
import type { ForeignServer, ServerCall } from "../foreign-server.js"
import { toolId } from "./tool-texts.js"

/** Makes an ordinary tool of what a server describes: judged, bounded and recorded like any other. */
export function foreignTool(server: ForeignServer, tool: ToolText): ToolDefinition {
  const { name } = server.entry
  const { destructiveHint } = tool.annotations ?? {}
  const manifest: AnyManifest = defineManifest({
    ...serverManifest(server),
    id: toolId(name, tool.name),
    // How the design spells it; rules and models may use either.
    formerIds: [`mcp:${name}:${tool.name.replaceAll(":", "_")}`],
    title: `${name}: ${tool.title ?? tool.name}`,
    description: `${tool.description.trim() || tool.title || tool.name} (of the MCP server ${name})`,
    input: inputSchema(tool.inputSchema),
    // A rule for all of a server is no rule for what it says itself that it destroys: such a tool needs one of its own.
    ...(destructiveHint === true && { judgedLikeStrictly: true as const }),
    subject: (input) => ({ kind: "arguments", values: { ...input, server: name, tool: tool.name } }),
    foreign: true,
  })
  return defineTool({
    manifest,
    messages: wordsOf(manifest.title),
    present: (output: { text: string }) => [text(output.text)],
    execute: async () => ({ execute: (input, context) => callTool(server, tool, input, context as never) }),
    examples: async () => ({ examples: [] }),
  })
}

async function callTool(
  server: ForeignServer,
  tool: ToolText,
  input: Readonly<Record<string, unknown>>,
  context: BaseContext & ServerCall,
): Promise<unknown> {
  const { outputOf } = await import("./result.js")
  const progress = new ProgressLine(context.emit)
  return server.use(context, async (connection, signal) => {
    server.assertTrusted(tool.name)
    const problem = connection.checks.problem(tool.inputSchema, input)
    if (problem !== undefined) {
      throw new ToolError(
        "invalid_args",
        `Cannot call "${tool.name}" of the MCP server "${server.entry.name}": ${problem}`,
        {
          hint: "Send arguments that fit the schema of the tool",
        },
      )
    }
    const onProgress = (message: string) => {
      server.heard(context)
      progress.tell(message)
    }
    const result = await connection.call(tool, input, { signal, onProgress })
    return outputOf(server.entry.name, tool.name, result, context)
  })
}

// More would flood those who watch the call.
const progressEveryMs = 100
const maxProgress = 500

/** Reports progress as output of the call, at most so often. */
class ProgressLine {
  private toldMs = Number.NEGATIVE_INFINITY

  constructor(private readonly emit: (delta: string) => void) {}

  tell(message: string): void {
    const now = performance.now()
    if (now - this.toldMs < progressEveryMs) return
    this.toldMs = now
    this.emit(`${message.slice(0, maxProgress)}\n`)
  }
}

/** What every tool of a server has: asked about unless a rule allows it, in every mode, whatever the server says of it. */
export function serverManifest(server: ForeignServer) {
  const { entry, pin, url } = server
  const hosts = url === undefined ? [] : hostsOf(url, pin.hosts)
  const requires: RequirementSet = {
    capabilities: ["servers"],
    ...(entry.kind === "http" && { net: { hosts: hosts.map(({ host, port }) => `${host}:${port}`) } }),
  }
  const effects = hosts.map(({ host, port }): NamedEffect => ({ kind: "net.fetch", host, port, method: "POST" }))
  return {
    output: outputSchema,
    requires,
    kind: "other",
    // The highest there is: what a server says of its own tools can only raise the risk, and nothing is above this.
    tier: "full-access",
    retry: "never",
    limit: outputLimit,
    // The clock of the server ends a call that hears nothing; this is for a person who takes long to answer.
    timeoutMs: entry.startTimeoutMs + Math.max(entry.callTimeoutMs, 600_000),
    effects: () => effects,
    judgedLike: "mcp",
    subjectKind: "arguments",
    inAutoMode: "never",
  } as const
}

/** Where requests of a server go: its own host, and those where a person signed in for it. */
function hostsOf(url: string, others: readonly string[]): readonly { host: string; port: number }[] {
  const { hostname, port, protocol } = new URL(url)
  const own = { host: hostname, port: port === "" ? (protocol === "http:" ? 80 : 443) : Number(port) }
  return [
    own,
    ...others.map((text) => ({ host: text.replace(/:\d+$/, ""), port: Number(/\d+$/.exec(text)?.[0] ?? 443) })),
  ]
}

const outputLimit: OutputLimit = {
  ...{ unit: "bytes", max: 100_000, past: "sidecar", fields: ["text"], keep: "head-and-tail" },
  text: { maxCharacters: 32_000, marks: [] },
}

const outputSchema = z.object({
  server: z.string(),
  text: z.string(),
  structured: z.unknown().optional(),
  links: z.array(z.object({ uri: z.string(), name: z.string() })).optional(),
})

/** Words for people in both languages; what a server calls itself is the same in each. */
export function wordsOf(title: string): ToolMessages {
  const words = { title, loading: `${title}...`, done: title }
  return { en: words, "zh-CN": words }
}
