import type * as z from "zod"
import type { ToolResult } from "./envelope.js"
import type { Hint } from "./error.js"
import type { ToolDefinition } from "./manifest.js"

/** A tool under the name, the arguments and the result shape of another system. */
export interface DialectTool<Input extends z.ZodObject = z.ZodObject> {
  /** The name as that system spells it. */
  readonly name: string
  /** Other names that the same system takes for it; not offered to models. */
  readonly aliases?: readonly string[]
  /** Id of the tool that does the work; where the arguments decide between two, a pure function of them. */
  readonly tool: string | ((input: z.infer<Input>) => string)
  /** Every id that such a function can give. */
  readonly choices?: readonly string[]
  /** What people are shown instead of the name; the name where there is none. */
  readonly titles?: DialectTitles
  readonly description: string
  /** The arguments as that system takes them. */
  readonly input: Input
  /** As in a manifest: how to say here what models say with keys that are not taken. */
  readonly habits?: Readonly<Record<string, Hint>>
  /** The names of its arguments by ours, where they differ and a next step may name them. */
  readonly keys?: Readonly<Record<string, string>>
  /** Its arguments as ours. Pure; throws `invalid_args` for what the schema cannot say. */
  toArguments(input: z.infer<Input>): unknown
  /** The result fields as that system names them, from a call that gave an output. Pure. */
  toValue(result: ToolResult, input: z.infer<Input>): unknown
  /**
   * The same for a failure that the other system counts as an answer, such as a setting that does not exist; undefined for
   * every failure that is one there too. Pure.
   */
  toAnswer?(result: ToolResult, input: z.infer<Input>): unknown
  /** What that system asks of its permission model for this tool, where it has such a word. */
  readonly tier?: "read-only" | "workspace-write" | "full-access"
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds rows of every input type, and functions of them are contravariant.
export type AnyDialectTool = DialectTool<any>

/** The title of a row in each language. */
export interface DialectTitles {
  readonly en: string
  readonly "zh-CN": string
}

/** The end of a call in the shape of another system. */
export interface Projection {
  /** What that system's host gets: any JSON value. */
  readonly value: unknown
  /** False when that system counts the call as failed. */
  readonly success: boolean
  /** What its model reads. */
  readonly text: string
}

/** The names, arguments and result shapes under which another system knows the same tools. */
export interface Dialect {
  readonly name: string
  readonly tools: readonly AnyDialectTool[]
  /** Tools that do the work of rows and that a host need not offer under their own names. */
  readonly workers?: readonly ToolDefinition[]
  /**
   * The system prompt of each toolset by the toolset's name, in this system's names: which of two similar tools is for what,
   * and which one does several things in one call.
   */
  readonly prompts?: Readonly<Record<string, string>>
  /** What that system publishes about a row beside name, description and arguments. Pure. */
  descriptor?(row: AnyDialectTool, parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** The name that models see; the tool's own by default. */
  wireName?(name: string): string
  /** The shape of any result; total: it never throws, whatever the result. `row` is absent for an unknown name. */
  project(result: ToolResult, row: AnyDialectTool | undefined, input: unknown): Projection
}

/** Keeps the argument types of one row together. */
export function defineDialectTool<Input extends z.ZodObject>(row: DialectTool<Input>): DialectTool<Input> {
  return row
}
