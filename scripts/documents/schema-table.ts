import { code, table } from "./markdown.js"

/** The part of JSON Schema that tools use. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** The members of an object schema as a table: inputs with their defaults, outputs without. */
export function schemaTable(schema: JsonSchema, side: "input" | "output"): string {
  const rows = memberRows(schema, side, "")
  if (rows.length === 0) return "No fields."
  return table(
    side === "input" ? ["key", "type", "required", "meaning"] : ["field", "type", "always there", "meaning"],
    rows,
  )
}

function memberRows(schema: JsonSchema, side: "input" | "output", prefix: string): readonly (readonly string[])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const required = (schema.required ?? []).includes(name)
    const path = `${prefix}${name}`
    const nested = member.type === "array" ? member.items : member
    return [
      [code(path), typeText(member), requiredText(required, member), member.description ?? ""],
      ...(nested?.properties ? memberRows(nested, side, `${path}${member.type === "array" ? "[]" : ""}.`) : []),
    ]
  })
}

function requiredText(required: boolean, member: JsonSchema): string {
  if (member.default !== undefined) return `default ${code(JSON.stringify(member.default))}`
  return required ? "yes" : "no"
}

function typeText(schema: JsonSchema): string {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(", ")
  if (schema.anyOf) return schema.anyOf.map(typeText).join(" or ")
  if (schema.type === "array") return `list of ${schema.items ? typeText(schema.items) : "anything"}`
  const type = Array.isArray(schema.type) ? schema.type.join(" or ") : (schema.type ?? "anything")
  return `${type}${boundsText(schema)}`
}

function boundsText({ minimum, maximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` from ${minimum}`
  return maximum === undefined ? "" : ` to ${maximum}`
}
