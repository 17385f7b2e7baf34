import * as z from "zod"

// Enough for the arguments of a tool; more is a mistake or an attack.
const maxDepth = 12
const maxNodes = 500

type JsonSchema = Readonly<Record<string, unknown>>

/** The arguments of a skill's tool as a schema. Throws with the reason when they are no object, or use what is not supported. */
export function schemaOfParameters(parameters: JsonSchema): z.ZodObject {
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
    if (key === "pattern" && typeof member === "string") {
      const { description } = value as { readonly description?: unknown }
      kept.description = `${typeof description === "string" ? `${description} ` : ""}(pattern ${member.slice(0, 100)})`
    } else if (!(key === "description" && "description" in kept)) kept[key] = withoutPatterns(member, depth + 1, budget)
  }
  return kept
}
