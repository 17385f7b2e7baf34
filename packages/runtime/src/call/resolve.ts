import { type AnyDialectTool, type ToolDefinition, ToolError } from "@haft/contract"
import { rowNamed } from "../dialect/find-row.js"
import type { Registry } from "../registry/create-registry.js"
import type { CallRequest } from "./call-request.js"
import { readArguments } from "./validate.js"

/** A tool with arguments that are spelled as it wants them. */
export interface Resolved {
  readonly tool: ToolDefinition
  readonly arguments: unknown
  /** What of the given arguments a dialect left out. */
  readonly notes: readonly string[]
  /** The row of the dialect that was called. */
  readonly row?: AnyDialectTool
}

/** The tool that goes by this name, and its arguments, both translated where the call speaks a dialect. */
export function resolve(
  { name, arguments: given, dialect }: Pick<CallRequest, "name" | "arguments" | "dialect">,
  registry: Registry,
): Resolved {
  // Programs in plain JavaScript and models send anything.
  if (typeof name !== "string") {
    throw new ToolError("invalid_args", `Cannot call a tool: its name must be a string, not ${kindOf(name)}`)
  }
  if (!dialect) return { tool: toolNamed(name, registry), arguments: given, notes: [] }
  const row = rowNamed(dialect, name)
  const { input, notes } = readArguments({ name, schema: row.input, habits: row.habits }, given)
  const id = typeof row.tool === "string" ? row.tool : row.tool(input)
  const tool = registry.find(id) ?? dialect.workers?.find(({ manifest }) => manifest.id === id)
  if (tool) return { tool, arguments: row.toArguments(input), notes, row }
  throw new ToolError("not_configured", `Cannot call "${name}": this host has nothing that does its work`, {
    hint: "Go on without it",
    details: { tool: id },
  })
}

/** An unknown name is an error that names the nearest ones. */
function toolNamed(name: string, registry: Registry): ToolDefinition {
  const tool = registry.find(name) ?? registry.find(plainName(name))
  if (tool) return tool
  const near = registry.near(name)
  throw new ToolError("invalid_args", `Cannot call "${name}": there is no tool of that name`, {
    hint:
      near.length > 0
        ? `Did you mean ${near.map((id) => `"${id}"`).join(", ")}?`
        : ["Call one of the tools that you were given", { say: "Look for others with {tool:tool_search}" }],
    ...(near.length > 0 ? {} : { fix: "See the list with: haft tools" }),
    details: { unknown_tool: name, near },
  })
}

/** The name without what models put around it: `functions.read`, `default_api.read`, `Read`. */
function plainName(name: string): string {
  return name
    .trim()
    .replace(/^(?:functions|default_api|tools)[.:]/, "")
    .toLowerCase()
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`
}
