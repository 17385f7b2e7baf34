/** A JSON Schema that is an object. */
export type Schema = Readonly<Record<string, unknown>>

/** Thrown when a schema cannot be written for a provider; the message ends the sentence "because". */
export class SchemaProblem extends Error {}

// A value that is nested deeper than this inside itself is not offered; a model hardly writes one.
const maxRecursion = 3
// Inlining multiplies: a few hundred bytes of references can mean gigabytes.
const maxNodes = 5000
const maxDepth = 40

/**
 * Writes a schema without `$ref` and `allOf`: definitions are written where they are used, recursion ends after a few levels, and
 * what a recursive place cannot hold any more is left out, so that every value of the result is one of the original.
 */
export function inlineSchema(root: unknown): Schema {
  const schema = new Inliner(root).node(root, [])
  if (schema === undefined) throw new SchemaProblem("it refers to itself without an end")
  return schema
}

class Inliner {
  private readonly root: unknown
  private nodes = 0

  constructor(root: unknown) {
    this.root = root
  }

  /** Undefined where no value is possible. `trail` are the references on the way here. */
  node(value: unknown, trail: readonly string[], depth = 0): Schema | undefined {
    this.nodes += 1
    if (this.nodes > maxNodes || depth > maxDepth) throw new SchemaProblem("it is too large without its references")
    if (value === true) return {}
    if (value === false) return undefined
    if (!isSchema(value)) throw new SchemaProblem("a part of it is no schema")
    const {
      $ref,
      allOf,
      $defs: _defs,
      definitions: _definitions,
      $schema: _schema,
      $id: _id,
      $comment: _c,
      ...own
    } = value
    const deeper = depth + 1
    if ($ref !== undefined) return this.reference($ref, own, { trail, depth: deeper })
    if (Array.isArray(allOf)) {
      const parts = [own, ...allOf].map((each) => this.node(each, trail, deeper))
      return parts.reduce((one, other) => one && other && mergeSchemas(one, other))
    }
    return this.members(own, trail, deeper)
  }

  private reference(
    ref: unknown,
    own: Schema,
    { trail, depth }: { readonly trail: readonly string[]; readonly depth: number },
  ): Schema | undefined {
    const name = String(ref)
    if (trail.filter((each) => each === name).length >= maxRecursion) return undefined
    const target = this.node(this.resolve(name), [...trail, name], depth)
    const beside = this.members(own, trail, depth)
    return target && beside && mergeSchemas(target, beside)
  }

  private resolve(ref: string): unknown {
    if (!ref.startsWith("#")) throw new SchemaProblem(`it refers to "${ref}", which is outside of it`)
    let at: unknown = this.root
    for (const step of ref.slice(1).split("/").slice(1)) {
      const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")
      at = isSchema(at) && Object.hasOwn(at, key) ? at[key] : Array.isArray(at) ? at[Number(key)] : undefined
    }
    if (at === undefined) throw new SchemaProblem(`it refers to "${ref}", which it does not have`)
    return at
  }

  private members(own: Schema, trail: readonly string[], depth: number): Schema | undefined {
    const result: Record<string, unknown> = { ...own }
    for (const key of ["anyOf", "oneOf"]) {
      const list = own[key]
      if (!Array.isArray(list)) continue
      const kept = list.flatMap((each) => this.node(each, trail, depth) ?? [])
      if (kept.length === 0) return undefined
      result[key] = kept
    }
    if (isSchema(own.properties) && !this.properties(own, result, trail, depth)) return undefined
    this.items(own, result, trail, depth)
    for (const key of ["additionalProperties", "propertyNames"])
      if (isSchema(own[key])) result[key] = this.node(own[key], trail, depth) ?? false
    return result
  }

  /** False when a required property can have no value. */
  private properties(own: Schema, result: Record<string, unknown>, trail: readonly string[], depth: number): boolean {
    const properties: Record<string, unknown> = {}
    const required = requiredOf(own)
    for (const [name, value] of Object.entries(own.properties as Schema)) {
      const inner = this.node(value, trail, depth)
      if (inner === undefined && required.includes(name)) return false
      if (inner !== undefined) Object.defineProperty(properties, name, { value: inner, enumerable: true })
    }
    result.properties = properties
    return true
  }

  private items(own: Schema, result: Record<string, unknown>, trail: readonly string[], depth: number): void {
    // Draft 7 writes tuples as a list in `items`.
    const tuple = Array.isArray(own.prefixItems) ? own.prefixItems : Array.isArray(own.items) ? own.items : undefined
    if (tuple !== undefined) result.prefixItems = tuple.map((each) => this.node(each, trail, depth) ?? {})
    if (Array.isArray(own.items))
      result.items = isSchema(own.additionalItems) ? this.node(own.additionalItems, trail, depth) : {}
    else if (own.items !== undefined) {
      const items = this.node(own.items, trail, depth)
      result.items = items ?? {}
      // No item is possible, so that only the empty list is.
      if (items === undefined) result.maxItems = 0
    }
  }
}

/** A schema whose values are those of both, as far as that can be said without `allOf`. */
function mergeSchemas(one: Schema, other: Schema): Schema | undefined {
  const merged: Record<string, unknown> = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const before = merged[key]
    if (before === undefined) merged[key] = value
    else if (key === "required") merged[key] = [...new Set([...requiredOf(one), ...requiredOf(other)])]
    else if (key === "properties") merged[key] = mergeProperties(before as Schema, value as Schema)
    else if (key === "type") {
      const types = typesOf(one).filter((type) => typesOf(other).includes(type))
      if (types.length === 0) return undefined
      merged[key] = types.length === 1 ? types[0] : types
    } else if (key === "enum" && Array.isArray(before) && Array.isArray(value))
      merged[key] = before.filter((each) => value.includes(each))
    else if (/^(minimum|exclusiveMinimum|min[A-Z]\w+)$/.test(key)) merged[key] = Math.max(Number(before), Number(value))
    else if (/^(maximum|exclusiveMaximum|max[A-Z]\w+)$/.test(key)) merged[key] = Math.min(Number(before), Number(value))
    else if (key === "additionalProperties") merged[key] = before === false || value === false ? false : value
    else if (["anyOf", "oneOf"].includes(key)) return distribute(one, other, key)
    // A description beside a reference is about this use of it.
    else merged[key] = value
  }
  return merged
}

function mergeProperties(one: Schema, other: Schema): Schema {
  const merged: Record<string, unknown> = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const before = merged[name]
    merged[name] = isSchema(before) && isSchema(value) ? (mergeSchemas(before, value) ?? value) : value
  }
  return merged
}

/** Both have alternatives: each of the one with each of the other. */
function distribute(one: Schema, other: Schema, key: string): Schema | undefined {
  const { [key]: left, ...restOne } = one
  const { [key]: right, ...restOther } = other
  const pairs = (left as Schema[]).flatMap((each) =>
    (right as Schema[]).flatMap((with_) => mergeSchemas(each, with_) ?? []),
  )
  if (pairs.length > 50) throw new SchemaProblem("its alternatives multiply")
  const rest = mergeSchemas(restOne, restOther)
  return pairs.length === 0 || rest === undefined ? undefined : { ...rest, [key]: pairs }
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The types that a schema names; none when it leaves that open. */
export function typesOf({ type }: Schema): readonly unknown[] {
  return Array.isArray(type) ? type : type === undefined ? [] : [type]
}

export function requiredOf({ required }: Schema): readonly string[] {
  return Array.isArray(required) ? required.map(String) : []
}

/** The alternatives of a schema, whichever way it writes them. */
export function alternativesOf({ anyOf, oneOf }: Schema): readonly Schema[] | undefined {
  const list = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
  return list?.filter(isSchema)
}
