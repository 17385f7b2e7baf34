import * as z from "zod"
import type { BaseContext } from "./context.js"
import type { NamedEffect } from "./effect.js"
import { type Content, text } from "./envelope.js"
import { ToolError } from "./error.js"
import {
  type InputSchema,
  type JsonSchema,
  type RawArguments,
  type ReadArguments,
  readInputSchema,
} from "./input-schema.js"
import {
  type AnyManifest,
  defineManifest,
  defineTool,
  type Example,
  type Manifest,
  type OutputLimit,
  type RetryClass,
  type ToolDefinition,
  type ToolKind,
  type ToolMessages,
  type ToolTier,
} from "./manifest.js"
import type { FileReader, FileWriter } from "./port/files.js"
import type { Network } from "./port/network.js"
import type { Search } from "./port/search.js"
import type { RequirementSet } from "./requirement.js"
import type { ToolsetName } from "./toolset-name.js"

/** The files of a call, and texts in UTF-8 without further ado. */
export interface TextReader extends FileReader {
  /** The text of a file of at most 10 MB; `unsupported` for what is no UTF-8. */
  readText(path: string): Promise<string>
}

/** The same for a tool that writes. */
export interface TextWriter extends TextReader, FileWriter {
  /** Replaces or creates a file, parents included. */
  writeText(path: string, text: string): Promise<void>
}

/** What a tool in the short form says about itself; only the first four are needed. */
export interface ToolParts<Id extends string, Schema extends InputSchema, Result, Ports> {
  /** Small letters, digits and `_`; permanent, because it is in journals. */
  readonly id: Id
  /** What the model reads: what the tool does, and when to use it. */
  readonly description: string
  /** A zod object, a JSON Schema, or another Standard Schema. */
  readonly input: Schema
  /** The work. Whatever JSON can carry may be returned; a `ToolError` that is thrown reaches the model as it is. */
  readonly execute: (input: ReadArguments<Schema>, context: BaseContext & Ports) => Result | Promise<Result>
  /** The JSON Schema of the arguments, for an `input` that cannot write itself down. */
  readonly parameters?: JsonSchema
  readonly output?: z.ZodType<Result>
  /** What the model reads of a result; by default the text itself, or JSON. */
  readonly present?: (output: NoInfer<Result>, input: ReadArguments<Schema>) => string | readonly Content[]
  readonly title?: string
  /** Arguments that a person at a terminal may write without their key, in this order. */
  readonly operands?: readonly (keyof ReadArguments<Schema> & string)[]
  readonly toolset?: ToolsetName
  readonly kind?: ToolKind
  readonly tier?: ToolTier
  readonly retry?: RetryClass
  readonly timeoutMs?: number
  readonly limit?: OutputLimit
  readonly messages?: ToolMessages
  readonly examples?: readonly Example[]
  /** How people see its calls, where the default faces do not do; `haft/faces` has the parts. Loaded by pages only. */
  readonly faces?: ToolDefinition["faces"]
}

/** The paths or addresses that a call with these arguments touches. */
type Names<Schema> = (input: ReadArguments<Schema>) => readonly string[]

interface Nothing {
  readonly reads?: undefined
  readonly writes?: undefined
  readonly fetches?: undefined
}

interface Reading<Schema> {
  /** Files and folders that a call looks at; anything else is refused. */
  readonly reads: Names<Schema>
  readonly writes?: undefined
  readonly fetches?: undefined
}

interface Writing<Schema> {
  readonly reads?: Names<Schema>
  /** Files that a call changes. */
  readonly writes: Names<Schema>
  readonly fetches?: undefined
}

interface Fetching<Schema> {
  readonly reads?: undefined
  readonly writes?: undefined
  /** Addresses that a call asks. */
  readonly fetches: Names<Schema>
}

/** A tool with the types of its arguments and its result. */
export type MadeTool<Id extends string, Schema extends InputSchema, Result> = ToolDefinition<
  Manifest<ObjectSchema<Schema>, z.ZodType<Result>, RequirementSet, Id>
>

type ObjectSchema<Schema> = z.ZodObject & {
  readonly _zod: { readonly input: RawArguments<Schema>; readonly output: ReadArguments<Schema> }
}

interface MakeTool {
  <const Id extends string, const Schema extends InputSchema, Result>(
    parts: ToolParts<Id, Schema, Result, unknown> & Nothing,
  ): MadeTool<Id, Schema, Result>
  <const Id extends string, const Schema extends InputSchema, Result>(
    parts: ToolParts<Id, Schema, Result, { readonly files: TextReader; readonly search: Search }> & Reading<Schema>,
  ): MadeTool<Id, Schema, Result>
  <const Id extends string, const Schema extends InputSchema, Result>(
    parts: ToolParts<Id, Schema, Result, { readonly files: TextWriter; readonly search: Search }> & Writing<Schema>,
  ): MadeTool<Id, Schema, Result>
  <const Id extends string, const Schema extends InputSchema, Result>(
    parts: ToolParts<Id, Schema, Result, { readonly network: Network }> & Fetching<Schema>,
  ): MadeTool<Id, Schema, Result>
}

type AnyParts = ToolParts<string, InputSchema, unknown, unknown> & {
  readonly [Key in "reads" | "writes" | "fetches"]?: Names<InputSchema>
}

/**
 * Makes a tool from its parts. What it reads, writes and fetches is said by functions of the arguments: they are judged
 * by the rules before it runs, and the tool gets ports for exactly that.
 */
export const tool = ((parts: AnyParts): ToolDefinition => {
  checkParts(parts)
  const { id, description, title = titleOf(id), reads, writes, fetches, messages = wordsOf(title) } = parts
  const { schema, read } = namingTool(id, () => readInputSchema(parts.input, parts.parameters))
  const manifest: AnyManifest = defineManifest({
    id,
    title,
    description,
    input: schema,
    output: parts.output ?? z.any(),
    requires: requirements(parts),
    effects: (input) => {
      const value = read(input) as never
      return [
        ...(reads?.(value) ?? []).map((path): NamedEffect => ({ kind: "fs.read", path })),
        ...(writes?.(value) ?? []).map((path): NamedEffect => ({ kind: "fs.write", path })),
        ...(fetches?.(value) ?? []).map(hostOf),
      ]
    },
    ...optional(parts, ["operands", "toolset", "kind", "tier", "retry", "timeoutMs", "limit"]),
  })
  const execute = async (input: unknown, context: BaseContext) =>
    asJson(id, await parts.execute(read(input) as never, withTexts(context)))
  const present = (output: unknown, input: unknown) =>
    contentOf(parts.present?.(output, read(input) as never) ?? output)
  return defineTool({
    manifest,
    messages,
    present,
    execute: async () => ({ execute }),
    examples: async () => ({ examples: parts.examples ?? [] }),
    ...(parts.faces && { faces: parts.faces }),
  })
}) as MakeTool

/** What is missing or of the wrong kind is said when the tool is made, with its name. */
function checkParts(parts: AnyParts): void {
  const wrong = (field: string, reason: string) =>
    new ToolError("invalid_args", `Cannot make the tool "${String(parts?.id ?? "")}": "${field}" ${reason}`)
  if (parts === null || typeof parts !== "object") throw new ToolError("invalid_args", "Cannot make a tool of nothing")
  if (typeof parts.id !== "string" || !/^[a-z][a-z0-9_]{0,63}$/.test(parts.id)) {
    throw wrong("id", "must be made of small letters, digits and _, at most 64, a letter first")
  }
  if (typeof parts.description !== "string" || parts.description.trim() === "") throw wrong("description", "is missing")
  if (parts.input === null || !["object", "function"].includes(typeof parts.input)) {
    throw wrong("input", "must be a zod object, a JSON Schema or another Standard Schema")
  }
  if (typeof parts.execute !== "function") throw wrong("execute", "must be a function")
  for (const field of ["reads", "writes", "fetches", "present", "faces"] as const) {
    if (parts[field] !== undefined && typeof parts[field] !== "function") throw wrong(field, "must be a function")
  }
  if (parts.timeoutMs !== undefined && !(parts.timeoutMs > 0)) throw wrong("timeoutMs", "must be more than 0")
  const known = parts as unknown as Record<string, unknown>
  const unknown = Object.keys(known).find((key) => !fields.has(key))
  if (unknown !== undefined) throw wrong(unknown, "is not a part of a tool")
}

const fields: ReadonlySet<string> = new Set<keyof AnyParts>([
  ...(["id", "description", "input", "execute", "parameters", "output", "present", "title", "kind", "tier"] as const),
  ...([
    "retry",
    "timeoutMs",
    "limit",
    "messages",
    "examples",
    "operands",
    "toolset",
    "faces",
    "reads",
    "writes",
    "fetches",
  ] as const),
])

function namingTool<Value>(id: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (!ToolError.is(error)) throw error
    throw new ToolError(error.code, `Cannot make the tool "${id}": ${error.message}`, {
      hint: error.steps,
      cause: error,
    })
  }
}

function requirements({ reads, writes, fetches }: AnyParts): RequirementSet {
  const anywhere = ["{workspace}/**", "{ad-hoc}/**"]
  const fs = { ...((reads ?? writes) && { read: anywhere }), ...(writes && { write: anywhere }) }
  return { ...((reads ?? writes) && { fs }), ...(fetches && { net: { hosts: ["*"] } }) }
}

function hostOf(address: string): NamedEffect {
  if (!URL.canParse(address)) throw new ToolError("invalid_args", `Cannot fetch "${address}": it is no address`)
  const { hostname, port, protocol } = new URL(address)
  return { kind: "net.fetch", host: hostname, port: port === "" ? (protocol === "http:" ? 80 : 443) : Number(port) }
}

const maxTextBytes = 10_000_000

function withTexts(context: BaseContext): BaseContext {
  const { files } = context as { files?: FileReader & Partial<FileWriter> }
  if (files === undefined) return context
  const readText = async (path: string) => {
    const { bytes } = await files.readAll(path, { maxBytes: maxTextBytes })
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    } catch (error) {
      throw new ToolError("unsupported", `Cannot read "${path}" as text: it is no UTF-8`, { cause: error })
    }
  }
  const writeText = async (path: string, text: string) =>
    void (await files.write!(path, new TextEncoder().encode(text)))
  // The context is an object with a prototype and lazy members, so it is extended and not copied.
  return Object.create(context, { files: { value: { ...files, readText, ...(files.write && { writeText }) } } })
}

/** The value as JSON carries it: what is recorded is what the caller gets. */
function asJson(id: string, value: unknown): unknown {
  try {
    return value === undefined ? null : JSON.parse(JSON.stringify(value) ?? "null")
  } catch (error) {
    throw new ToolError(
      "internal",
      `Cannot use the result of "${id}": JSON cannot carry it (${(error as Error).message})`,
    )
  }
}

function contentOf(shown: unknown): readonly Content[] {
  if (Array.isArray(shown) && shown.length > 0 && shown.every((part) => typeof part?.type === "string")) return shown
  const words = typeof shown === "string" ? shown : JSON.stringify(shown)
  return [text(words === "" ? "[No output]" : words)]
}

function titleOf(id: string): string {
  const words = id.replaceAll("_", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function wordsOf(title: string): ToolMessages {
  const words = { title, loading: `${title}...`, done: title }
  return { en: words, "zh-CN": words }
}

function optional<Parts extends object, Key extends keyof Parts>(parts: Parts, keys: readonly Key[]): Pick<Parts, Key> {
  return Object.fromEntries(keys.flatMap((key) => (parts[key] === undefined ? [] : [[key, parts[key]]]))) as never
}
