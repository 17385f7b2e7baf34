import * as z from "zod"
import { ToolError } from "./error.js"
import { bestEffort } from "./silent.js"

/** A JSON Schema as an object literal. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What every library of schemas has in common (standardschema.dev). */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** Present in libraries that can write themselves down. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: "draft-2020-12" }) => JsonSchema }
  }
}

/** What a Standard Schema makes of a value. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** One thing that is wrong with a value. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** A schema for arguments, made by hand or with a library. */
export type InputSchema = StandardSchema | JsonSchema

/** Arguments as a caller writes them. */
export type RawArguments<Schema> =
  Schema extends StandardSchema<infer Input> ? (Input extends object ? Input : never) : Record<string, unknown>

/** Arguments as a tool gets them. */
export type ReadArguments<Schema> = Schema extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined }
}
  ? Output
  : Record<string, unknown>

/** A schema that arguments are checked with, and what makes of checked arguments the value that the tool gets. */
export interface ReadSchema {
  readonly schema: z.ZodObject
  readonly read: (checked: unknown) => unknown
}

/**
 * Reads a zod object, a JSON Schema, or another Standard Schema that can write itself down or has its JSON Schema beside
 * it. A key that is not in the schema is refused unless the schema says that any key is welcome: a misspelt key would
 * otherwise be lost silently.
 */
export function readInputSchema(input: InputSchema, parameters: JsonSchema | undefined): ReadSchema {
  if (isZodObject(input)) return { schema: input.def.catchall === undefined ? input.strict() : input, read: same }
  if (!("~standard" in input)) return { schema: ofJsonSchema(input as JsonSchema, "input"), read: same }
  const { jsonSchema, vendor } = (input as StandardSchema)["~standard"]
  const described = parameters ?? jsonSchema?.input({ target: "draft-2020-12" })
  if (described === undefined) {
    throw new ToolError("invalid_args", `"input" is a schema of ${vendor} that has no JSON Schema`, {
      hint: 'Give the JSON Schema of the arguments as "parameters" beside it',
    })
  }
  const validate = (value: unknown) => validated(input as StandardSchema, value)
  const schema = ofJsonSchema(described, parameters ? "parameters" : "input").superRefine((value, context) => {
    for (const { message, path = [] } of validate(value).issues ?? [])
      context.addIssue({
        code: "custom",
        message,
        path: path.map((part) => (typeof part === "object" ? part.key : part)),
      })
  })
  return { schema, read: (checked) => (validate(checked) as { value?: unknown }).value }
}

const same = (value: unknown): unknown => value

function isZodObject(input: InputSchema): input is z.ZodObject & StandardSchema {
  const { def, safeParse, "~standard": standard } = input as Partial<z.ZodObject>
  return def?.type === "object" && typeof safeParse === "function" && standard?.jsonSchema !== undefined
}

function ofJsonSchema(json: JsonSchema, field: string): z.ZodObject {
  if (json.type !== "object") throw new ToolError("invalid_args", `"${field}" is not a schema of an object`)
  const { $schema: _, ...rest } = json
  const made = madeFrom({ additionalProperties: false, ...rest }, field)
  if (made instanceof z.ZodObject) return made
  throw new ToolError("invalid_args", `"${field}" puts objects together; write one object with its properties`)
}

function madeFrom(json: JsonSchema, field: string): z.ZodType {
  try {
    return z.fromJSONSchema(json as Parameters<typeof z.fromJSONSchema>[0])
  } catch (error) {
    throw new ToolError("invalid_args", `"${field}" is not a JSON Schema that can be used: ${(error as Error).message}`)
  }
}

function validated(input: StandardSchema, value: unknown): StandardResult<unknown> {
  const result = input["~standard"].validate(value)
  if (!(result instanceof Promise)) return result
  void bestEffort("nobody waits for it, and its failure must not end the process", result)
  return { issues: [{ message: "its schema checks asynchronously, which arguments of a tool cannot wait for" }] }
}
