import { readFileSync } from "node:fs"
import { type AnyManifest, ignoreMissing, nearestNames, type RequirementSet, ToolError } from "@haft/contract"
import { packagePath } from "./package-folder.js"

/** A property of a tool's input, as far as the command line reads JSON Schema. */
export interface PropertySchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: PropertySchema
  readonly properties?: Readonly<Record<string, PropertySchema>>
  readonly anyOf?: readonly PropertySchema[]
}

/** A tool as data, made from its manifest when Haft is built. */
export interface ToolDescription {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly kind: AnyManifest["kind"]
  readonly tier: AnyManifest["tier"]
  readonly toolsets: readonly string[]
  readonly requires: RequirementSet
  readonly input_schema: {
    readonly properties?: Readonly<Record<string, PropertySchema>>
    readonly required?: readonly string[]
  }
  readonly output_schema: Readonly<Record<string, unknown>>
  readonly limit: AnyManifest["limit"]
  readonly retry: AnyManifest["retry"]
  /** Arguments that may be written without their key, in this order. */
  readonly operands?: readonly string[]
}

/** Every built-in tool, read without loading one: parsing this file takes a millisecond, loading schemas thirty. */
export function toolDescriptions(): readonly ToolDescription[] {
  known ??= JSON.parse(readDefinitions()) as readonly ToolDescription[]
  return known
}

/** The tool of that id. An unknown one is an error that names the nearest. */
export function toolNamed(id: string): ToolDescription {
  const bare = id.replace(/^builtin(:|__)/, "")
  const tool = toolDescriptions().find((candidate) => candidate.id === bare)
  if (tool) return tool
  const near = nearestNames(
    bare,
    toolDescriptions().map((candidate) => candidate.id),
  )
  throw new ToolError("invalid_args", `Cannot find tool "${id}": there is no such tool`, {
    hint: near.length > 0 ? `Did you mean ${near.join(" or ")}? See haft tools` : "See haft tools",
  })
}

/** The tools of these toolsets; `all` is every tool. An unknown set is an error that names the known ones. */
export function toolsIn(sets: readonly string[]): readonly ToolDescription[] {
  const tools = toolDescriptions()
  if (sets.includes("all")) return tools
  const existing = new Set(tools.flatMap(({ toolsets }) => toolsets))
  const unknown = sets.find((set) => !existing.has(set))
  if (unknown !== undefined) {
    throw new ToolError("invalid_args", `Cannot use toolset "${unknown}": known are ${[...existing, "all"].join(", ")}`)
  }
  return tools.filter(({ toolsets }) => toolsets.some((set) => sets.includes(set)))
}

// Read once for the process: the file never changes while it runs, and no object lives as long as every caller.
let known: readonly ToolDescription[] | undefined

function readDefinitions(): string {
  // Beside the bundle where the command is installed; in the sources of the tools where it is developed.
  const places = [
    packagePath("dist", "cli", "definitions.json"),
    packagePath("..", "tools", "src", "generated", "definitions.json"),
  ]
  for (const place of import.meta.url.endsWith(".ts") ? places.reverse() : places) {
    const text = ignoreMissing(() => readFileSync(place, "utf8"))
    if (text !== undefined) return text
  }
  throw new ToolError("not_configured", "Cannot list the tools: their definitions were not generated", {
    hint: "Run: npm run build",
  })
}
