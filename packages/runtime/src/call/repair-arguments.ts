import type { AnyManifest } from "@haft/contract"
import { jsonSchemaOf } from "../definition/definition.js"

/** Arguments as they were probably meant, and what of them was left out. */
export interface Repaired {
  readonly value: unknown
  /** Keys that only say why a call is made. */
  readonly dropped: readonly string[]
}

/**
 * Arguments that did not fit, with what models do to them undone where the schema leaves one reading: `null` for absent,
 * numbers, flags, lists and objects as texts, one thing for a list of one, and keys that only explain. Guesses nothing:
 * what has two readings stays as it is, and is refused. Called only after a first parse has failed.
 */
export function repairArguments(schema: AnyManifest["input"], raw: unknown): Repaired {
  const published = publishedSchema(schema)
  const value = repair(published, unwrapped(published, raw))
  if (!isObject(value)) return { value, dropped: [] }
  const dropped = explainingKeys(published, value)
  return { value: dropped.length === 0 ? value : without(value, dropped), dropped }
}

const wrappers: readonly string[] = ["arguments", "args", "input", "parameters", "params"]

/** The arguments alone, where they came inside one more object that the tool knows nothing of. */
function unwrapped({ properties = {} }: PublishedSchema, raw: unknown): unknown {
  if (!isObject(raw)) return raw
  const [key, ...others] = Object.keys(raw)
  if (key === undefined || others.length > 0 || !wrappers.includes(key) || Object.hasOwn(properties, key)) return raw
  const inner = raw[key]
  return isObject(inner) ? inner : typeof inner === "string" ? (parsed(inner, isObject) ?? raw) : raw
}

/** The part of JSON Schema that schemas of arguments are written in. */
export interface PublishedSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, PublishedSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | PublishedSchema
  readonly items?: PublishedSchema
  readonly anyOf?: readonly PublishedSchema[]
  readonly oneOf?: readonly PublishedSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly description?: string
}

const known = new WeakMap<AnyManifest["input"], PublishedSchema>()

/** The schema as models are given it: what it says is what can be clear to them. */
export function publishedSchema(schema: AnyManifest["input"]): PublishedSchema {
  const found = known.get(schema)
  if (found) return found
  const made = jsonSchemaOf(schema, "input") as PublishedSchema
  known.set(schema, made)
  return made
}

// A closed list: these say why and never what. Every other unknown key may change what is meant, so it is refused.
const explaining: readonly string[] = ["description", "explanation", "reason", "purpose", "title", "thought"]

function explainingKeys({ properties = {}, additionalProperties }: PublishedSchema, value: Members): readonly string[] {
  if (additionalProperties !== false) return []
  return explaining.filter((key) => typeof value[key] === "string" && !Object.hasOwn(properties, key))
}

type Members = Readonly<Record<string, unknown>>

function repair(schema: PublishedSchema, value: unknown): unknown {
  const choices = choicesOf(schema)
  if (choices) return repairChoice(choices, value)
  switch (schema.type) {
    case "object":
      return repairObject(schema, value)
    case "array":
      return repairArray(schema, value)
    case "number":
    case "integer":
      return typeof value === "string" ? (numberIn(value) ?? value) : value
    case "boolean":
      return typeof value === "string" ? (booleanIn(value) ?? value) : value
    default:
      return value
  }
}

/** The shapes between which a schema leaves the choice; undefined when there is one. */
function choicesOf({ anyOf, oneOf, type }: PublishedSchema): readonly PublishedSchema[] | undefined {
  if (anyOf || oneOf) return anyOf ?? oneOf
  return Array.isArray(type) ? type.map((each: string) => ({ type: each })) : undefined
}

/** Where several shapes fit, only the one that the value can be meant for is looked at. */
function repairChoice(choices: readonly PublishedSchema[], value: unknown): unknown {
  if (choices.some((choice) => fits(choice, value))) {
    const meant = choices.filter((choice) => fits(choice, value) && sameConstants(choice, value))
    return meant.length === 1 && typeof value === "object" ? repair(meant[0]!, value) : value
  }
  const repaired = choices.map((choice) => repair(choice, value)).filter((other) => other !== value)
  return repaired.length === 1 ? repaired[0] : value
}

function fits({ type, enum: values, const: constant }: PublishedSchema, value: unknown): boolean {
  if (type === undefined) return values === undefined && constant === undefined ? true : typeof value === "string"
  const types: readonly string[] = typeof type === "string" ? [type] : type
  if (value === null) return types.includes("null")
  if (typeof value === "number") return types.includes("number") || types.includes("integer")
  return types.includes(Array.isArray(value) ? "array" : typeof value)
}

function sameConstants({ properties = {} }: PublishedSchema, value: unknown): boolean {
  if (!isObject(value)) return true
  return Object.entries(properties).every(
    ([key, property]) => property.const === undefined || value[key] === property.const,
  )
}

function repairObject(schema: PublishedSchema, value: unknown): unknown {
  const object = typeof value === "string" ? (parsed(value, isObject) ?? (value.trim() === "" ? {} : value)) : value
  if (!isObject(object)) return object
  const { properties = {}, required = [], additionalProperties } = schema
  const members: [string, unknown][] = []
  for (const [key, member] of Object.entries(object)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (property !== undefined) {
      if (member === null && !required.includes(key) && !admitsNull(property)) continue
      members.push([key, repair(property, member)])
    } else if (typeof additionalProperties === "object") members.push([key, repair(additionalProperties, member)])
    else members.push([key, member])
  }
  return Object.fromEntries(members)
}

function admitsNull({ type, anyOf, oneOf, enum: values, const: constant }: PublishedSchema): boolean {
  if (anyOf || oneOf) return (anyOf ?? oneOf)!.some(admitsNull)
  if (type === undefined)
    return values === undefined ? constant === undefined || constant === null : values.includes(null)
  return type === "null" || (Array.isArray(type) && type.includes("null"))
}

function repairArray(schema: PublishedSchema, value: unknown): unknown {
  const list = Array.isArray(value) ? value : listIn(schema.items, value)
  return Array.isArray(list) && schema.items ? list.map((item) => repair(schema.items!, item)) : list
}

/** A list that was sent as text, or one thing where a list of such things is taken. */
function listIn(items: PublishedSchema | undefined, value: unknown): unknown {
  if (isObject(value)) return items?.type === "object" ? [value] : value
  if (typeof value !== "string") return value
  const list = parsed(value, Array.isArray)
  if (list !== undefined) return list
  // A text with a comma, a line break or an open bracket may be a list in some other spelling.
  return items?.type === "string" && value !== "" && !/^\s*[[{]|[,\n]/.test(value) ? [value] : value
}

function parsed<Value>(text: string, is: (value: unknown) => value is Value): Value | undefined {
  // Looked at first: an error with a stack for each ordinary text would cost more than the rest.
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return is(value) ? value : undefined
  } catch {
    return undefined
  }
}

// As JSON writes them; "010", "0x1f" and "1,5" have more than one reading.
const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function numberIn(text: string): number | undefined {
  if (text.length > 40 || !decimal.test(text.trim())) return undefined
  const value = Number(text)
  // A whole number beyond these is not the one that was written.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : value
}

/** Also as Python writes them. */
function booleanIn(text: string): boolean | undefined {
  const word = text.length > 10 ? "" : text.trim().toLowerCase()
  return word === "true" ? true : word === "false" ? false : undefined
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function without(members: Members, keys: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([key]) => !keys.includes(key)))
}
