import type { JsonSchema } from "@haft/contract"
import * as z from "zod"

// Enough for the arguments of a tool; more is a mistake or an attack.
const maxBytes = 128 * 1024
const maxDepth = 40
const maxNodes = 5000

/** A schema of a server that can be used. Throws with the reason when it is none, or so large that it could only do harm. */
export function usableSchema(value: unknown, side: "input" | "output"): JsonSchema {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new Error(`its ${side} schema is no object`)
  }
  const schema = value as JsonSchema
  if (side === "input" && (schema.type ?? "object") !== "object")
    throw new Error("its input schema is not one of an object")
  if (JSON.stringify(schema).length > maxBytes) throw new Error(`its ${side} schema is larger than ${maxBytes} bytes`)
  count(schema, 0, { nodes: maxNodes }, side)
  return schema
}

function count(value: unknown, depth: number, budget: { nodes: number }, side: string): void {
  budget.nodes -= 1
  if (depth > maxDepth || budget.nodes < 0)
    throw new Error(`its ${side} schema is nested too deeply or has too many parts`)
  if (value === null || typeof value !== "object") return
  for (const member of Object.values(value)) count(member, depth + 1, budget, side)
}

/**
 * What arguments are read with before a call is judged, as far as zod can say it; the exact check comes before they are sent.
 * Models are shown the schema as the server wrote it.
 */
export function inputSchema(schema: JsonSchema): z.ZodObject {
  const { $schema: _, ...shown }: JsonSchema = { type: "object", ...schema }
  const read = readable(shown) ?? z.looseObject({})
  read._zod.toJSONSchema = () => shown
  return read
}

function readable(schema: JsonSchema): z.ZodObject | undefined {
  try {
    const made = z.fromJSONSchema(withoutPatterns(schema) as Parameters<typeof z.fromJSONSchema>[0])
    return made instanceof z.ZodObject ? made : undefined
  } catch {
    // Something that zod has no words for.
    return undefined
  }
}

/**
 * The schema without regular expressions: those of a server would be run by a backtracking engine on what a model writes
 * (ReDoS). The server itself checks them.
 */
export function withoutPatterns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPatterns)
  if (value === null || typeof value !== "object") return value
  const kept: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    const isPattern = (key === "pattern" && typeof member === "string") || key === "patternProperties"
    if (!isPattern) kept[key] = key === "properties" ? members(member) : withoutPatterns(member)
  }
  // What patterns let through besides the named keys is not known without them.
  if ("patternProperties" in value) delete kept.additionalProperties
  return kept
}

/** A property may be called "pattern". */
function members(properties: unknown): unknown {
  if (properties === null || typeof properties !== "object") return properties
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, withoutPatterns(schema)]))
}
