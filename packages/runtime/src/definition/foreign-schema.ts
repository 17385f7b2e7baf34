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

// Keywords that hold schemas by name, and those that hold values.
const maps = new Set(["properties", "$defs", "definitions", "dependentSchemas", "dependencies"])
const data = new Set(["const", "enum", "default", "examples"])

/**
 * The schema without regular expressions: those of a server would be run by a backtracking engine on what a model writes
 * (ReDoS). The server itself checks them. Throws for a reference into what is no schema, where they are left.
 */
export function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns)
  if (schema === null || typeof schema !== "object") return schema
  if ("$ref" in schema) assertLeadsToSchema(schema.$ref)
  // What patterns let through besides the named keys is not known without them.
  const dropped = ["pattern", "patternProperties", ...("patternProperties" in schema ? ["additionalProperties"] : [])]
  const kept = Object.entries(schema).filter(([key]) => !dropped.includes(key))
  return Object.fromEntries(kept.map(([key, member]) => [key, cleaned(key, member)]))
}

function cleaned(key: string, member: unknown): unknown {
  if (maps.has(key)) return members(member)
  return data.has(key) && !hasNames(member) ? member : withoutPatterns(member)
}

/** Whether a part of a value has a name: validators find names where no schema belongs, and run what they find. */
function hasNames(value: unknown): boolean {
  return /"\$(id|anchor|dynamicAnchor)":/.test(JSON.stringify(value))
}

/** A schema may be called "pattern", or like any other keyword. A text is none, and could name the whole map ($id). */
function members(schemas: unknown): unknown {
  if (schemas === null || typeof schemas !== "object" || Array.isArray(schemas)) return withoutPatterns(schemas)
  const entries = Object.entries(schemas)
  if (entries.some(([, schema]) => typeof schema === "string")) throw new Error("a part of it is a text and no schema")
  return Object.fromEntries(entries.map(([name, schema]) => [name, withoutPatterns(schema)]))
}

function assertLeadsToSchema(reference: unknown): void {
  if (typeof reference !== "string") return
  let at: "schema" | "map" | "data" = "schema"
  for (const step of stepsOf(reference)) {
    if (at === "map") at = "schema"
    else if (at === "schema" && data.has(step)) at = "data"
    else if (at === "schema" && maps.has(step)) at = "map"
  }
  if (at !== "schema") throw new Error(`its reference "${reference.slice(0, 100)}" leads to no schema`)
}

function stepsOf(reference: string): readonly string[] {
  const [, ...fragment] = reference.split("#")
  return fragment.join("#").split("/").slice(1).map(decodeURIComponent)
}
