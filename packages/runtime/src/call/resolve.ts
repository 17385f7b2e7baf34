import { type ToolDefinition, ToolError } from "@haft/contract"
import type { Registry } from "../registry/create-registry.js"

/** The tool that goes by this name. An unknown name is an error that names the nearest ones. */
export function resolve(name: string, registry: Registry): ToolDefinition {
  // Programs in plain JavaScript and models send anything.
  if (typeof name !== "string") {
    throw new ToolError("invalid_args", `Cannot call a tool: its name must be a string, not ${kindOf(name)}`)
  }
  const tool = registry.find(name)
  if (tool) return tool
  const near = registry.near(name)
  throw new ToolError("invalid_args", `Cannot call "${name}": there is no tool of that name`, {
    hint: near.length > 0 ? `Did you mean ${near.map((id) => `"${id}"`).join(", ")}?` : "See the list with: haft tools",
    details: { unknown_tool: name, near },
  })
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`
}
