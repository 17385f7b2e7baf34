import { dropNulls } from "./drop-nulls.js"
import {
  alternativesOf,
  inlineSchema,
  isSchema,
  requiredOf,
  type Schema,
  SchemaProblem,
  typesOf,
} from "./inline-schema.js"

/** The ways in which providers want the input of a tool. */
export type SchemaVariant =
  /** No references, an object at the top. */
  | "plain"
  /** OpenAI: every property is required and optional ones may be null; what cannot be said so is sent as `plain`. */
  | "strict"
  /** Gemini: a part of the schemas of OpenAPI 3.0. */
  | "gemini"

/** A tool that is not offered, and why. */
export interface DroppedTool {
  readonly name: string
  readonly reason: string
}

/** A tool by the name that a provider sees. */
export interface NamedTool {
  readonly name: string
  readonly inputSchema: unknown
}

/** A tool with its input as the variant writes it. */
type FittedTool<Tool extends NamedTool> = Tool & { readonly strict?: boolean }

/** The tools of one request. */
export interface FittedTools<Tool extends NamedTool> {
  readonly tools: FittedTool<Tool>[]
  readonly dropped: readonly DroppedTool[]
  /** Undoes what the variant did to the arguments of a call, before they are validated. */
  restore(name: string, args: unknown): unknown
}

/** Writes the inputs of tools as a provider accepts them. A tool that cannot be written is left out, so that the others work. */
export function fitTools<Tool extends NamedTool>(tools: readonly Tool[], variant: SchemaVariant): FittedTools<Tool> {
  const fitted: FittedTool<Tool>[] = []
  const dropped: DroppedTool[] = []
  const originals = new Map<string, Schema>()
  for (const tool of tools) {
    try {
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(tool.name)) throw new SchemaProblem("providers do not take its name")
      if (originals.has(tool.name)) throw new SchemaProblem("another tool has the same name")
      const { inlined, own } = memoFit(tool.inputSchema, variant)
      fitted.push({ ...tool, ...own } as FittedTool<Tool>)
      originals.set(tool.name, inlined)
    } catch (error) {
      if (!(error instanceof SchemaProblem)) throw error
      dropped.push({ name: tool.name, reason: error.message })
    }
  }
  const restore = (name: string, args: unknown) => {
    const original = originals.get(name)
    return original === undefined ? args : dropNulls(args, original)
  }
  return { tools: fitted, dropped, restore }
}

/** What a variant makes of an input. */
interface Fitted {
  readonly inputSchema: Schema
  readonly strict?: boolean
}

interface Memo {
  readonly variant: SchemaVariant
  readonly inlined: Schema
  readonly own: Fitted
}

// Every step of a turn offers the same schemas, to one model.
const memos = new WeakMap<object, Memo>()

function memoFit(schema: unknown, variant: SchemaVariant): Memo {
  const known = isSchema(schema) ? memos.get(schema) : undefined
  if (known?.variant === variant) return known
  const inlined = inlineSchema(schema)
  const memo = { variant, inlined, own: fitSchema(inlined, variant) }
  if (isSchema(schema)) memos.set(schema, memo)
  return memo
}

function fitSchema(inlined: Schema, variant: SchemaVariant): Fitted {
  const root = objectAtTop(inlined)
  if (variant === "gemini") return { inputSchema: gemini(root) }
  const plain = { inputSchema: withItems(root) as Schema }
  if (variant === "plain") return plain
  // Alternatives at the top became one object, which is wider than they are.
  const strictSchema = alternativesOf(inlined) === undefined ? strict(root, 0) : undefined
  return strictSchema === undefined ? { ...plain, strict: false } : { inputSchema: strictSchema, strict: true }
}

/** Providers want an object without alternatives at the top: alternatives become one object with the properties of all. */
function objectAtTop(schema: Schema): Schema {
  const alternatives = alternativesOf(schema)
  const { anyOf: _any, oneOf: _one, enum: _enum, not: _not, if: _if, then: _then, else: _else, ...own } = schema
  if (alternatives === undefined) {
    if (typesOf(schema).length > 0 && !typesOf(schema).includes("object"))
      throw new SchemaProblem("its input is no object")
    return { ...own, type: "object", properties: isSchema(own.properties) ? own.properties : {} }
  }
  const objects = alternatives.map(objectAtTop)
  const all = [own, ...objects].map(({ properties }) => (isSchema(properties) ? properties : {}))
  const properties: Record<string, unknown> = {}
  for (const each of all)
    for (const [name, value] of Object.entries(each)) properties[name] = either(properties[name], value)
  const always = objects.map(requiredOf).reduce((one, other) => one.filter((name) => other.includes(name)))
  const closed = objects.every(({ additionalProperties }) => additionalProperties === false)
  return {
    ...own,
    type: "object",
    properties,
    required: [...new Set([...requiredOf(own), ...always])],
    ...(closed ? { additionalProperties: false } : {}),
  }
}

function either(one: unknown, other: unknown): unknown {
  if (one === undefined || JSON.stringify(one) === JSON.stringify(other)) return other
  const before = isSchema(one) && Object.keys(one).length === 1 && Array.isArray(one.anyOf) ? one.anyOf : [one]
  return { anyOf: [...before, other] }
}

/** OpenAI refuses a list that does not say what is in it, also without strictness. */
function withItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withItems)
  if (!isSchema(value)) return value
  const entries = Object.entries(value).map(([key, member]) => [
    key,
    // Values are data, which may look like a schema.
    ["enum", "const", "default", "examples"].includes(key) ? member : withItems(member),
  ])
  const lacking = typesOf(value).includes("array") && value.items === undefined
  return Object.fromEntries(lacking ? [...entries, ["items", {}]] : entries)
}

// The limits of OpenAI's structured outputs.
const maxStrictDepth = 10
const strictKeywords = new Set(["description", "enum", "const", "multipleOf", "maxItems", "minItems", "title"])
const strictNumbers = new Set(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"])
const strictFormats = new Set(["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"])

/** Undefined where strictness would take away what the schema allows: maps, free objects, anything at all. */
function strict(node: Schema, depth: number): Schema | undefined {
  if (depth > maxStrictDepth) return undefined
  const result: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node))
    if (strictKeywords.has(key) || strictNumbers.has(key)) result[key] = value
  if (typeof node.format === "string" && strictFormats.has(node.format)) result.format = node.format
  // Look-around is refused; a pattern that is left out is still checked when the call comes.
  if (typeof node.pattern === "string" && !node.pattern.includes("(?")) result.pattern = node.pattern
  if (node.default !== undefined) result.description = withDefault(node)
  const alternatives = alternativesOf(node)
  if (alternatives !== undefined) {
    const anyOf = alternatives.map((each) => strict(each, depth))
    return anyOf.includes(undefined) ? undefined : { ...result, anyOf }
  }
  const types = typesOf(node)
  if (types.length === 0) return "enum" in node || "const" in node ? result : undefined
  result.type = node.type
  if (types.includes("array")) {
    const items = isSchema(node.items) && node.prefixItems === undefined ? strict(node.items, depth + 1) : undefined
    if (items === undefined) return undefined
    result.items = items
  }
  return types.includes("object") ? strictObject(node, result, depth) : result
}

function strictObject(node: Schema, result: Record<string, unknown>, depth: number): Schema | undefined {
  const properties = isSchema(node.properties) ? node.properties : {}
  const names = Object.keys(properties)
  const open = isSchema(node.additionalProperties) || isSchema(node.patternProperties)
  if (open || (names.length === 0 && node.additionalProperties !== false && depth > 0)) return undefined
  const fitted: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(properties)) {
    const inner = isSchema(value) ? strict(value, depth + 1) : undefined
    if (inner === undefined) return undefined
    const property = requiredOf(node).includes(name) ? inner : orNull(inner)
    Object.defineProperty(fitted, name, { value: property, enumerable: true })
  }
  if (requiredOf(node).some((name) => !names.includes(name))) return undefined
  return { ...result, properties: fitted, required: names, additionalProperties: false }
}

function orNull(schema: Schema): Schema {
  const types = typesOf(schema)
  if (types.includes("null")) return schema
  const alternatives = alternativesOf(schema)
  if (alternatives !== undefined) return { ...schema, anyOf: [...alternatives, { type: "null" }] }
  // A list of values, or a constant, would still forbid the null.
  if (types.length === 0 || "enum" in schema || "const" in schema) {
    const { description, ...rest } = schema
    return { ...(description === undefined ? {} : { description }), anyOf: [rest, { type: "null" }] }
  }
  return { ...schema, type: [...types, "null"] }
}

function withDefault({ description, default: value }: Schema): string {
  const said = typeof description === "string" ? description : ""
  const words = `Default: ${JSON.stringify(value)}`
  if (/default/i.test(said)) return said
  return said === "" ? words : `${said.replace(/\.$/, "")}. ${words}`
}

const geminiKeywords = ["description", "minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum", "title"]
const geminiFormats: Readonly<Record<string, readonly string[]>> = {
  string: ["date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
}

/** The schema as the package of Gemini turns it into what the API takes: one type each, or alternatives. */
function gemini(node: Schema): Schema {
  const result: Record<string, unknown> = {}
  for (const key of geminiKeywords) if (node[key] !== undefined) result[key] = node[key]
  const alternatives = alternativesOf(node)
  if (alternatives !== undefined) return { ...annotations(result), anyOf: alternatives.map(gemini) }
  const values = "const" in node ? [node.const] : Array.isArray(node.enum) ? node.enum : undefined
  if (values !== undefined) return geminiValues(result, values)
  const types = typesOf(node)
  const solid = types.filter((type) => type !== "null")
  if (types.length === 0) {
    if (isSchema(node.properties)) return gemini({ ...node, type: "object" })
    // Anything at all: what a model can write without a schema of its own.
    return { ...annotations(result), anyOf: ["string", "number", "boolean"].map((type) => ({ type })) }
  }
  if (solid.length > 1)
    return { ...annotations(result), anyOf: types.map((type) => gemini({ ...node, type, description: undefined })) }
  result.type = types.length > 1 ? [solid[0], "null"] : types[0]
  const type = String(solid[0])
  if (geminiFormats[type]?.includes(String(node.format))) result.format = node.format
  if (type === "array") result.items = geminiItems(node)
  if (type === "object" && isSchema(node.properties)) {
    const entries = Object.entries(node.properties).map(([name, value]) => [name, gemini(isSchema(value) ? value : {})])
    result.properties = Object.fromEntries(entries)
    result.required = requiredOf(node).filter((name) => Object.hasOwn(node.properties as Schema, name))
  }
  return result
}

/** Only strings may be listed; other values are described in words. */
function geminiValues(result: Schema, values: readonly unknown[]): Schema {
  const nullable = values.includes(null)
  const solid = values.filter((each) => each !== null && each !== "")
  if (solid.length === 0) return { ...annotations(result), type: nullable ? "null" : "string" }
  const type = (of: string) => (nullable ? [of, "null"] : of)
  if (solid.every((each) => typeof each === "string"))
    return { ...annotations(result), type: type("string"), enum: solid }
  const kinds = [...new Set(solid.map((each) => (Number.isInteger(each) ? "integer" : typeof each)))]
  const said = typeof result.description === "string" ? `${result.description}. ` : ""
  const description = `${said}One of ${solid.map((each) => JSON.stringify(each)).join(", ")}`
  if (kinds.length === 1) return { description, type: type(kinds[0] ?? "string") }
  return { description, anyOf: kinds.map((kind) => ({ type: kind })) }
}

function geminiItems(node: Schema): Schema {
  const tuple = Array.isArray(node.prefixItems) ? node.prefixItems.filter(isSchema) : undefined
  if (tuple !== undefined) return { anyOf: tuple.map(gemini) }
  return gemini(isSchema(node.items) ? node.items : {})
}

function annotations({ description, title }: Schema): Schema {
  return { ...(description === undefined ? {} : { description }), ...(title === undefined ? {} : { title }) }
}
