import type { SkillEntry, SkillTool, ToolDefinition } from "@haft/contract"
import * as z from "zod"
import { commandTool } from "./command-tool.js"
import { httpTool } from "./http-tool.js"

/** What the tools of a skill become. */
export interface SkillTools {
  readonly tools: readonly ToolDefinition[]
  /** Ids of catalogue tools that the skill asks to be visible. */
  readonly visible: readonly string[]
  /** Tools that cannot be offered, one sentence each. */
  readonly problems: readonly string[]
}

/** Makes ordinary tools of what a skill describes: judged, bounded and recorded like any other. */
export function skillTools({ name: skill, tools: described = [] }: Pick<SkillEntry, "name" | "tools">): SkillTools {
  const tools: ToolDefinition[] = []
  const visible: string[] = []
  const problems: string[] = []
  for (const tool of described) {
    if (tool.backend.type === "builtin") visible.push(tool.backend.tool)
    else {
      try {
        tools.push(definitionOf(skill, tool))
      } catch (error) {
        problems.push(`tool "${tool.name}" of skill "${skill}" is left out: ${(error as Error).message}`)
      }
    }
  }
  return { tools, visible, problems }
}

export function skillToolId(skill: string, tool: string): string {
  return `skill__${skill.toLowerCase().replace(/[^a-z0-9-]/g, "_")}__${tool}`
}

function definitionOf(skill: string, { name, description, parameters, backend }: SkillTool): ToolDefinition {
  const described = {
    id: skillToolId(skill, name),
    title: `${skill}: ${name}`,
    description: `${description} (of the skill ${skill})`,
    input: schemaOfParameters(parameters),
    foreign: true as const,
  }
  switch (backend.type) {
    case "script":
    case "binary":
      return commandTool(described, backend)
    case "http":
      return httpTool(described, backend)
    case "builtin":
      throw new Error("a builtin has no definition of its own")
  }
}

// Enough for the arguments of a tool; more is a mistake or an attack.
const maxDepth = 12
const maxNodes = 500

type JsonSchema = Readonly<Record<string, unknown>>

/** The arguments of a skill's tool as a schema. Throws with the reason when they are no object, or use what is not supported. */
function schemaOfParameters(parameters: JsonSchema): z.ZodObject {
  const { type = "object", properties = {}, additionalProperties = false, ...rest } = parameters
  if (type !== "object") throw new Error("its parameters must be of type object")
  const budget = { nodes: maxNodes }
  // Unknown keys are an error unless the skill says otherwise, as in every tool.
  const schema = z.fromJSONSchema(
    withoutPatterns({ type, properties, additionalProperties, ...rest }, 0, budget) as never,
  )
  if (!(schema instanceof z.ZodObject)) throw new Error("its parameters must be a plain object")
  return schema
}

/**
 * A pattern of a skill would be run by a backtracking engine on what a model writes, so patterns are only shown, and
 * references, which can be circular, are refused.
 */
function withoutPatterns(value: unknown, depth: number, budget: { nodes: number }): unknown {
  budget.nodes -= 1
  if (depth > maxDepth || budget.nodes < 0) throw new Error("its parameters are too large")
  if (Array.isArray(value)) return value.map((item) => withoutPatterns(item, depth + 1, budget))
  if (value === null || typeof value !== "object") return value
  const kept: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (key === "$ref" || key === "$dynamicRef") throw new Error(`its parameters use ${key}, which is not supported`)
    if (key === "patternProperties" || key === "propertyNames") {
      throw new Error(`its parameters use ${key}, which is not supported`)
    }
    // A list would be run all the same: it is turned into a text.
    if (key === "pattern" && Array.isArray(member)) throw new Error("its parameters have a pattern that is no text")
    if (key === "pattern" && typeof member === "string") {
      const { description } = value as { readonly description?: unknown }
      kept.description = `${typeof description === "string" ? `${description} ` : ""}(pattern ${member.slice(0, 100)})`
    } else if (!(key === "description" && "description" in kept)) kept[key] = withoutPatterns(member, depth + 1, budget)
  }
  return kept
}
