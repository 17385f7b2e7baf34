import { type Fields, fieldsOf, textOf } from "./wire-api.js"

/** Why Anthropic refuses a schema of a tool. */
export function anthropicSchemaProblem(schema: unknown): string | undefined {
  const fields = fieldsOf(schema)
  if (fields.type !== "object") return "type: Input should be 'object'"
  if (["oneOf", "allOf", "anyOf"].some((key) => key in fields))
    return "input_schema does not support oneOf, allOf, or anyOf at the top level"
  return undefined
}

const strictKeywords = new Set([
  "$defs",
  "$ref",
  "additionalProperties",
  "anyOf",
  "const",
  "description",
  "enum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "items",
  "maxItems",
  "maximum",
  "minItems",
  "minimum",
  "multipleOf",
  "pattern",
  "properties",
  "required",
  "title",
  "type",
])

const strictFormats = new Set(["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"])

/** Why OpenAI refuses a schema of a tool; `strict` adds the rules of structured output. */
export function openaiSchemaProblem(schema: unknown, strict: boolean): string | undefined {
  const fields = fieldsOf(schema)
  if (fields.type !== "object")
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${String(fields.type ?? "None")}"'.`
  if (["oneOf", "anyOf", "allOf", "enum", "not"].some((key) => key in fields))
    return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
  for (const { value, context } of subschemas(fields, [])) {
    const where = `In context=(${context.map((each) => `'${each}'`).join(", ")}), `
    const problem = nodeProblem(value) ?? (strict ? strictProblem(value) : undefined)
    if (problem !== undefined) return `${where}${problem}`
  }
  return undefined
}

function nodeProblem(node: Fields): string | undefined {
  if (typesOf(node).includes("array") && node.items === undefined) return "array schema missing items."
  return undefined
}

function strictProblem(node: Fields): string | undefined {
  const unknown = Object.keys(node).find((key) => !strictKeywords.has(key))
  if (unknown !== undefined) return `'${unknown}' is not permitted.`
  if (node.format !== undefined && !strictFormats.has(textOf(node.format)))
    return `'${String(node.format)}' is not a valid format.`
  if (!["type", "enum", "const", "anyOf", "$ref"].some((key) => key in node)) return "schema must have a 'type' key."
  if (!typesOf(node).includes("object")) return undefined
  if (node.additionalProperties !== false) return "'additionalProperties' is required to be supplied and to be false."
  const names = Object.keys(fieldsOf(node.properties))
  const required: readonly unknown[] = Array.isArray(node.required) ? node.required : []
  const missing = names.find((name) => !required.includes(name))
  if (missing !== undefined)
    return `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`
  const extra = required.find((name) => !names.includes(String(name)))
  return extra === undefined ? undefined : `'required' has a key '${String(extra)}' that is not in properties.`
}

interface Subschema {
  readonly value: Fields
  readonly context: readonly string[]
}

function subschemas(schema: Fields, context: readonly string[]): readonly Subschema[] {
  const found: Subschema[] = [{ value: schema, context }]
  const visit = (value: unknown, ...path: string[]) => {
    if (fieldsOf(value) === value) found.push(...subschemas(fieldsOf(value), [...context, ...path]))
  }
  for (const key of ["properties", "$defs"])
    for (const [name, value] of Object.entries(fieldsOf(schema[key]))) visit(value, key, name)
  visit(schema.items, "items")
  visit(schema.additionalProperties, "additionalProperties")
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const list: readonly unknown[] = Array.isArray(schema[key]) ? schema[key] : []
    for (const [index, value] of list.entries()) visit(value, key, String(index))
  }
  return found
}

function typesOf(node: Fields): readonly unknown[] {
  return Array.isArray(node.type) ? node.type : [node.type]
}

const geminiFields = new Set([
  "anyOf",
  "default",
  "description",
  "enum",
  "example",
  "format",
  "items",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "nullable",
  "pattern",
  "properties",
  "propertyOrdering",
  "required",
  "title",
  "type",
])

const geminiFormats: Readonly<Record<string, readonly string[]>> = {
  string: ["enum", "date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
}

/** Why Gemini refuses a schema of a tool: it knows a part of the schemas of OpenAPI 3.0. */
export function geminiSchemaProblem(
  schema: unknown,
  place = "",
): { readonly message: string; readonly place: string } | undefined {
  const node = fieldsOf(schema)
  const here = (message: string) => ({ message, place })
  const unknown = Object.keys(node).find((key) => !geminiFields.has(key))
  if (unknown !== undefined) return here(`Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`)
  if (node.type !== undefined && typeof node.type !== "string")
    return here("Proto field is not repeating, cannot start list.")
  const type = textOf(node.type).toLowerCase()
  if (!["", "string", "number", "integer", "boolean", "array", "object", "null"].includes(type))
    return here(`Invalid value: "${type}"`)
  if (type === "" && node.anyOf === undefined && Object.keys(node).length > 0) return here("type: must be specified")
  if (
    node.enum !== undefined &&
    (type !== "string" ||
      !Array.isArray(node.enum) ||
      node.enum.some((each) => typeof each !== "string" || each === ""))
  )
    return here("enum: only allowed for STRING type, with values that are not empty")
  if (node.format !== undefined && !geminiFormats[type]?.includes(textOf(node.format)))
    return here(`format: only ${(geminiFormats[type] ?? []).join(", ")} are supported for ${type.toUpperCase()} type`)
  if (type === "array" && node.items === undefined) return here("items: missing field.")
  const names = Object.keys(fieldsOf(node.properties))
  if (Array.isArray(node.required) && node.required.some((name) => !names.includes(String(name))))
    return here("required: property is not defined")
  for (const name of names) {
    const problem = geminiSchemaProblem(fieldsOf(node.properties)[name], `${place}.properties[${name}]`)
    if (problem !== undefined) return problem
  }
  const inner: readonly unknown[] = Array.isArray(node.anyOf) ? node.anyOf : []
  for (const each of node.items === undefined ? inner : [node.items, ...inner]) {
    const problem = geminiSchemaProblem(each, `${place}.items`)
    if (problem !== undefined) return problem
  }
  return undefined
}
