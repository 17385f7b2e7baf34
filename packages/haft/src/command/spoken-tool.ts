import { type Dialect, nearestNames, ToolError } from "@haft/contract"
import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"
import { type ToolDescription, toolNamed } from "./tool-descriptions.js"

/** A tool as the command line calls it: by our own name, or by that of another system. */
export interface SpokenTool {
  readonly name: string
  readonly inputSchema: ToolDescription["input_schema"]
  /** Arguments that may be written without their key, in this order. */
  readonly operands?: readonly string[]
  readonly dialect: Dialect | undefined
  readonly source: "builtin" | "dialect" | "skill" | "mcp" | "extension"
  /** False for a name that the dialect does not have: calling it gives that system's own answer. */
  readonly isKnown?: false
}

/**
 * The tool of that name in the dialect of this run. An unknown one is an error that names the nearest, or of a dialect a
 * tool that can only be called.
 */
export async function spokenTool(
  invocation: Invocation,
  io: Io,
  name: string,
  { mayBeUnknown = false }: { readonly mayBeUnknown?: boolean } = {},
): Promise<SpokenTool> {
  const wanted = invocation.text("dialect") ?? "haft"
  if (wanted === "haft" && name.startsWith("skill__")) return skillTool(invocation, io, name)
  if (wanted === "haft" && /^mcp(?:__|:|_resources$|_read$|_prompt$)/.test(name))
    return serverTool(invocation, io, name)
  if (wanted === "haft" && /^[a-z][a-z0-9-]*(?:__|:)/.test(name) && !name.startsWith("builtin:"))
    return extensionTool(io, name)
  if (wanted === "haft") {
    const { id, input_schema, operands = [] } = toolNamed(name)
    return { name: id, inputSchema: input_schema, operands, dialect: undefined, source: "builtin" }
  }
  // Loaded only here: our own names need no schema of a tool.
  const { dialectNamed } = await import("@haft/dialects")
  const { findRow, jsonSchemaOf, rowNamed } = await import("@haft/runtime")
  const dialect = (await dialectNamed(wanted))!
  if (mayBeUnknown && findRow(dialect, name) === undefined) {
    return { name, inputSchema: {}, dialect, source: "dialect", isKnown: false }
  }
  const row = rowNamed(dialect, name)
  return { name: row.name, inputSchema: jsonSchemaOf(row.input, "input"), dialect, source: "dialect" }
}

/** A tool of a server that the user trusts: known from what was trusted, without a connection. */
async function serverTool(invocation: Invocation, io: Io, name: string): Promise<SpokenTool> {
  const { setUp } = await import("./setup.js")
  const { configuredServers } = await import("../mcp/configured-servers.js")
  const { offerInputs, toolId } = await import("@haft/mcp")
  const servers = configuredServers(await setUp(invocation, io)).filter(({ state }) => state === "trusted")
  if (Object.hasOwn(offerInputs, name) && servers.length > 0) {
    const { jsonSchemaOf } = await import("@haft/runtime")
    const inputSchema = jsonSchemaOf(offerInputs[name as keyof typeof offerInputs], "input")
    return { name, inputSchema, dialect: undefined, source: "mcp" }
  }
  const tools = servers.flatMap(({ name: server, pin }) =>
    pin!.tools.map((tool) => ({ id: toolId(server, tool.name), inputSchema: tool.inputSchema })),
  )
  const [, server, spelt] = /^mcp:([^:]+):(.+)$/s.exec(name) ?? []
  const id = spelt === undefined ? name : toolId(server!, spelt)
  const tool = tools.find((each) => each.id === id)
  if (tool) return { name: id, inputSchema: tool.inputSchema, dialect: undefined, source: "mcp" }
  const [near] = nearestNames(
    id,
    tools.map((each) => each.id),
    1,
  )
  throw new ToolError("invalid_args", `Cannot find tool "${name}": no trusted MCP server here brings it`, {
    hint:
      near === undefined ? "See haft mcp list; a server brings tools after haft mcp trust" : `Did you mean ${near}?`,
  })
}

/** A tool of an extension that the user enabled: known from its manifest, without running it. */
async function extensionTool(io: Io, name: string): Promise<SpokenTool> {
  const { extensionsHere } = await import("./extension/extension-text.js")
  const tools = extensionsHere(io)
    .enabled()
    .flatMap(({ manifest: { id, tools } }) =>
      tools.map((tool) => ({ id: `${id}__${tool.id}`, inputSchema: tool.parameters })),
    )
  const id = name.replace(":", "__")
  const tool = tools.find((each) => each.id === id)
  if (tool) return { name: id, inputSchema: tool.inputSchema, dialect: undefined, source: "extension" }
  throw new ToolError("invalid_args", `Cannot find tool "${name}": no enabled extension brings it`, {
    hint: "See: haft extension list",
  })
}

/** A tool that a skill brings: found only where that skill is. */
async function skillTool(invocation: Invocation, io: Io, name: string): Promise<SpokenTool> {
  const { setUp } = await import("./setup.js")
  const { skillsHere } = await import("./skill/skills-here.js")
  const { loadSkillTools } = await import("@haft/tools")
  const { jsonSchemaOf } = await import("@haft/runtime")
  const skills = await skillsHere(await setUp(invocation, io)).list()
  const { skillTools } = await loadSkillTools()
  const tools = skills.flatMap((skill) => skillTools(skill).tools)
  const tool = tools.find(({ manifest }) => manifest.id === name)
  if (tool)
    return { name, inputSchema: jsonSchemaOf(tool.manifest.input, "input"), dialect: undefined, source: "skill" }
  const [near] = nearestNames(
    name,
    tools.map(({ manifest }) => manifest.id),
    1,
  )
  throw new ToolError("invalid_args", `Cannot find tool "${name}": no skill here brings it`, {
    hint:
      near === undefined
        ? "See haft skill list; skills of a folder bring tools after haft trust"
        : `Did you mean ${near}?`,
  })
}
