import { type AnyManifest, toolKinds, toolTiers } from "@haft/contract"
import { jsonSchemaOf } from "@haft/runtime"

type JsonSchema = Readonly<Record<string, unknown>>

/** What is wrong with a manifest, one sentence each. */
export function checkManifest(manifest: AnyManifest): readonly string[] {
  return [...identity(manifest), ...inputSchema(manifest), ...outputSchema(manifest), ...reach(manifest)]
}

function identity({ id, title, description }: AnyManifest): readonly string[] {
  return [
    ...(/^[a-z][a-z0-9_]{0,63}$/.test(id) ? [] : [`the id "${id}" is not made of small letters, digits and "_"`]),
    ...(title.trim() ? [] : ["the title is empty"]),
    ...(description.length >= 20 ? [] : ["the description is too short to say what the tool does"]),
    // What it is for is what models choose by.
    ...(/\buse\b/i.test(description) ? [] : ["the description does not say when to use the tool"]),
  ]
}

function inputSchema({ input }: AnyManifest): readonly string[] {
  const schema = jsonSchemaOf(input, "input")
  if (schema.type !== "object") return ["the input schema is not an object schema"]
  return looseObjects(schema, "input").map((place) => `${place} accepts unknown keys`)
}

/** Where a schema has objects that take any key. */
function looseObjects(schema: JsonSchema, place: string): readonly string[] {
  // A map says what its values are; only an object that says nothing about other keys swallows a misspelt one.
  const open = schema.additionalProperties === undefined || schema.additionalProperties === true
  const here = schema.type === "object" && open ? [place] : []
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const items = schema.items === undefined ? [] : looseObjects(schema.items as JsonSchema, `${place}[]`)
  return [...here, ...properties.flatMap(([key, member]) => looseObjects(member, `${place}.${key}`)), ...items]
}

function outputSchema({ output, limit }: AnyManifest): readonly string[] {
  const schema = jsonSchemaOf(output, "output")
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  const required = (schema.required ?? []) as readonly string[]
  const bounded = limit.past === "paged" ? [] : limit.unit === "entries" ? [limit.field] : limit.fields
  return [
    ...(schema.type === "object" ? [] : ["the output schema is not an object schema"]),
    // An output that may be any object may also have a member of that name.
    ...(isOpen(schema) || (properties.head?.type === "string" && !required.includes("head"))
      ? []
      : ['the output has no optional text "head"']),
    ...bounded
      .filter((field) => !(field in properties))
      .map((field) => `the limit names "${field}", which the output lacks`),
  ]
}

function isOpen({ additionalProperties }: JsonSchema): boolean {
  return typeof additionalProperties === "object" && Object.keys(additionalProperties as object).length === 0
}

function reach({ requires, kind, tier, retry, limit, timeoutMs }: AnyManifest): readonly string[] {
  if (requires === undefined || requires === null) return ["it does not say what it requires"]
  const writes = requires.fs?.write !== undefined
  return [
    ...(toolKinds.includes(kind) ? [] : [`the kind "${kind}" does not exist`]),
    ...(toolTiers.includes(tier) ? [] : [`the tier "${tier}" does not exist`]),
    ...(writes && tier === "read-only" ? ["it writes files and calls itself read-only"] : []),
    ...(writes && retry !== "never" ? ["it writes files and says that it may run twice"] : []),
    ...(limit.max > 0 ? [] : ["its limit is not positive"]),
    ...(timeoutMs > 0 ? [] : ["its time limit is not positive"]),
  ]
}
