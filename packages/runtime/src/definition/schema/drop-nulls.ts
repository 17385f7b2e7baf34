import { alternativesOf, isSchema, requiredOf, type Schema, typesOf } from "./inline-schema.js"

/**
 * Takes away the nulls that a model sent for optional properties: strict providers want every property, and others send null
 * on their own. A null stays where the schema allows one. `schema` is inlined.
 */
export function dropNulls(value: unknown, schema: Schema): unknown {
  const alternatives = alternativesOf(schema)
  if (alternatives !== undefined) {
    const own = { ...schema, anyOf: undefined, oneOf: undefined }
    const outer = dropHere(value, own)
    for (const each of alternatives) {
      const dropped = dropNulls(outer, each)
      if (fits(dropped, each)) return dropped
    }
    return outer
  }
  return dropHere(value, schema)
}

function dropHere(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) {
    const { items } = schema
    return isSchema(items) ? value.map((each) => dropNulls(each, items)) : value
  }
  if (!isSchema(value)) return value
  const properties = isSchema(schema.properties) ? schema.properties : {}
  const required = requiredOf(schema)
  const kept: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (member === null && isSchema(inner) && !required.includes(name) && !fits(null, inner)) continue
    const dropped = isSchema(inner) ? dropNulls(member, inner) : member
    // Not by assignment: a property may be called __proto__.
    Object.defineProperty(kept, name, { value: dropped, enumerable: true, writable: true, configurable: true })
  }
  return kept
}

/** Whether a value has the shape of a schema: enough to tell alternatives apart, no whole validation. */
function fits(value: unknown, schema: Schema): boolean {
  const types = typesOf(schema)
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return false
  if ("const" in schema && !same(value, schema.const)) return false
  if (Array.isArray(schema.enum) && !schema.enum.some((each) => same(value, each))) return false
  const alternatives = alternativesOf(schema)
  if (alternatives !== undefined && !alternatives.some((each) => fits(value, each))) return false
  const { items } = schema
  if (Array.isArray(value)) return !isSchema(items) || value.every((each) => fits(each, items))
  if (!isSchema(value)) return true
  if (requiredOf(schema).some((name) => !Object.hasOwn(value, name))) return false
  const properties = isSchema(schema.properties) ? schema.properties : {}
  return Object.entries(value).every(([name, member]) => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined
    return isSchema(inner) ? fits(member, inner) : schema.additionalProperties !== false
  })
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "null") return value === null
  if (type === "array") return Array.isArray(value)
  if (type === "integer") return Number.isInteger(value)
  if (type === "object") return isSchema(value)
  return typeof value === type
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
