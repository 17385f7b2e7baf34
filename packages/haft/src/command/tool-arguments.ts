import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { addAbortSignal, type Readable } from "node:stream"
import { nearestNames, ToolError } from "@haft/contract"
import type { Io } from "./io.js"
import type { SpokenTool } from "./spoken-tool.js"
import type { PropertySchema } from "./tool-descriptions.js"

type ArgumentTaker = Pick<SpokenTool, "name" | "inputSchema" | "operands">

/**
 * Reads the arguments of a call: `--args` first, then each word: `key=value` in the type that the schema wants, `key:=json`,
 * `-i` for a switch of that name, and values without a key in the order that the tool says.
 */
export async function toolArguments(
  tool: ArgumentTaker,
  words: readonly string[],
  whole: string | undefined,
  io: Io,
): Promise<Record<string, unknown>> {
  const source = new ArgumentSource(io)
  const values: Record<string, unknown> = whole === undefined ? {} : parseWhole(await source.text(whole, "--args"))
  for (const word of words) {
    const { key, given, isJson } = argumentOf(word, tool, values)
    const schema = propertyOf(tool, key, word)
    if (isJson) values[key] = (parseJson(await source.value(given, key)) ?? noJson(word)).json
    else if (typesOf(schema).has("string")) values[key] = await source.value(given, key)
    else {
      const isElsewhere = given.startsWith("@") || given === "-"
      values[key] = parseTyped(key, schema, isElsewhere ? await source.value(given, key) : given)
    }
  }
  return values
}

interface Argument {
  readonly key: string
  readonly given: string
  readonly isJson: boolean
}

function argumentOf(word: string, tool: ArgumentTaker, values: Readonly<Record<string, unknown>>): Argument {
  const [, key, operator, given] = /^([^=]*?)(:?=)(.*)$/s.exec(word) ?? []
  // A path or an address may have a = of its own; the name of an argument has no slash, dot or blank.
  const properties = tool.inputSchema.properties ?? {}
  if (key && (/^[\w-]+$/.test(key) || Object.hasOwn(properties, key)))
    return { key, given: given!, isJson: operator === ":=" }
  if (word.startsWith("-") && Object.hasOwn(properties, word)) return { key: word, given: "true", isJson: false }
  const next = tool.operands?.find((operand) => !Object.hasOwn(values, operand))
  if (next !== undefined) return { key: next, given: word, isJson: false }
  const bare = (tool.operands ?? []).join(" and ")
  throw invalid(
    word,
    bare === "" ? "arguments are written key=value" : `only ${bare} may be written without a key`,
    keysHint(tool),
  )
}

function noJson(word: string): never {
  throw invalid(word, "what comes after := must be JSON", `Write a text as key=text or key:='"text"'`)
}

/** Standard input can be read only once; files are read relative to the directory of the command. */
class ArgumentSource {
  private readonly io: Io
  private taken: string | undefined

  constructor(io: Io) {
    this.io = io
  }

  /** `@FILE`, `-`, or the text itself; `@@` begins a text with one @. */
  async value(given: string, key: string): Promise<string> {
    if (given.startsWith("@@")) return given.slice(1)
    return given === "-" || given.startsWith("@") ? this.text(given, key) : given
  }

  async text(given: string, key: string): Promise<string> {
    if (given === "-") return this.standardInput(key)
    return given.startsWith("@") ? this.file(given.slice(1), key) : given
  }

  private async standardInput(key: string): Promise<string> {
    if (this.taken !== undefined) throw invalid(key, `standard input was already taken for "${this.taken}"`)
    this.taken = key
    const { stdin, signal } = this.io
    const pieces: Uint8Array[] = []
    try {
      // Ctrl-C while somebody still types must not wait for the end of the input.
      if (signal) addAbortSignal(signal, stdin as Readable)
      for await (const piece of stdin) pieces.push(typeof piece === "string" ? Buffer.from(piece) : piece)
    } catch (error) {
      if (signal?.aborted)
        throw new ToolError("cancelled", `Cannot read "${key}" from standard input: it was interrupted`)
      throw error
    }
    return decode(Buffer.concat(pieces), key)
  }

  private file(path: string, key: string): string {
    try {
      return decode(readFileSync(resolve(this.io.cwd, path)), key)
    } catch (error) {
      if (ToolError.is(error)) throw error
      const { code } = error as NodeJS.ErrnoException
      throw invalid(
        `${key}=@${path}`,
        code === "ENOENT" ? "the file does not exist" : `the file cannot be read (${code})`,
        "A text that begins with @ is written @@",
      )
    }
  }
}

function decode(bytes: Uint8Array, key: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw invalid(key, "what was read for it is not UTF-8")
  }
}

function parseWhole(text: string): Record<string, unknown> {
  const value = parseJson(text)
  if (typeof value?.json === "object" && value.json !== null && !Array.isArray(value.json))
    return value.json as Record<string, unknown>
  throw invalid("--args", value ? "it must be a JSON object" : "it is not JSON", `Write it as '{"key": "value"}'`)
}

function propertyOf(tool: ArgumentTaker, key: string, word: string): PropertySchema {
  const properties = tool.inputSchema.properties ?? {}
  if (Object.hasOwn(properties, key)) return properties[key]!
  // One or two letters are near to everything.
  const [near] = key.length > 2 ? nearestNames(key, Object.keys(properties), 1) : []
  const [first] = tool.operands ?? []
  const keys = keysHint(tool)
  const isText = first !== undefined && word.includes("=")
  throw invalid(
    key,
    `"${tool.name}" has no such argument`,
    near ? `Did you mean ${near}?` : isText ? `${keys}; a text with = in it is written ${first}=${word}` : keys,
  )
}

function parseTyped(key: string, schema: PropertySchema, given: string): unknown {
  const types = typesOf(schema)
  const value = parseJson(given)
  if (
    value &&
    (types.size === 0 || types.has(jsonType(value.json)) || (types.has("number") && jsonType(value.json) === "integer"))
  )
    return value.json
  throw invalid(
    `${key}=${given}`,
    `expected ${[...types].join(" or ") || "JSON"}${types.has("array") || types.has("object") ? " as JSON" : ""}`,
  )
}

function typesOf(schema: PropertySchema): ReadonlySet<string> {
  const own = schema.type === undefined ? [] : [schema.type].flat()
  const fromEnum = (schema.enum ?? []).map(jsonType)
  return new Set([
    ...own,
    ...(own.length > 0 ? [] : fromEnum),
    ...(schema.anyOf ?? []).flatMap((branch) => [...typesOf(branch)]),
  ])
}

function jsonType(value: unknown): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number"
  return typeof value
}

function parseJson(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

function keysHint({ name, inputSchema }: Pick<SpokenTool, "name" | "inputSchema">): string {
  const keys = Object.keys(inputSchema.properties ?? {})
  return `"${name}" takes ${keys.length > 0 ? keys.join(", ") : "no arguments"}`
}

function invalid(what: string, reason: string, hint?: string): ToolError {
  const shown = what.length > 120 ? `${what.slice(0, 119)}…` : what
  return new ToolError("invalid_args", `Cannot take argument "${shown}": ${reason}`, hint ? { hint } : {})
}
