import { isDeepStrictEqual } from "node:util"
import { type AnyManifest, type Example, type ToolDefinition, toolKinds, toolTiers } from "@haft/contract"
import { jsonSchemaOf } from "@haft/runtime"
import { type ExampleEnd, type OpenedContext, runExample } from "./run-example.js"
import type { TemporaryWorkspace } from "./temporary-workspace.js"

/** What the conformance suite may use beyond the tool itself. */
export interface ToolCheckOptions {
  /** Name of the folder that the tool lives in. */
  readonly folder?: string
  /** Gives contexts over real ports; without it the examples are checked but not run. */
  readonly makeContext?: (tool: ToolDefinition, workspace: TemporaryWorkspace) => OpenedContext | Promise<OpenedContext>
}

/** Runs the conformance suite on a tool and returns what is wrong with it, one sentence each; empty when it conforms. */
export async function checkTool(tool: ToolDefinition, options: ToolCheckOptions = {}): Promise<readonly string[]> {
  const { examples } = await tool.examples()
  return [
    ...checkManifest(tool.manifest),
    ...checkFolder(tool.manifest.id, options.folder),
    ...checkMessages(tool),
    ...checkExamples(tool, examples),
    ...(options.makeContext ? await checkRuns(tool, examples, options.makeContext) : []),
  ]
}

/** The folder of a tool has its id as its name. */
export function checkFolder(id: string, folder: string | undefined): readonly string[] {
  const wanted = id.replaceAll("_", "-")
  return folder === undefined || folder === wanted ? [] : [`the folder is called "${folder}" instead of "${wanted}"`]
}

/** Words for people, complete in both languages. */
export function checkMessages({ messages }: ToolDefinition): readonly string[] {
  return (["en", "zh-CN"] as const).flatMap((language) =>
    (["title", "loading", "done"] as const)
      .filter((key) => !messages[language]?.[key]?.trim())
      .map((key) => `the message "${key}" is missing in ${language}`),
  )
}

/** Three to five named examples whose inputs and outputs fit the schemas. */
export function checkExamples({ manifest }: ToolDefinition, examples: readonly Example[]): readonly string[] {
  const problems: string[] = []
  const names = new Set(examples.map(({ name }) => name))
  if (names.size < 3 || names.size > 5)
    problems.push(`there are ${names.size} examples of different names instead of 3 to 5`)
  for (const example of examples) {
    const say = (problem: string) => problems.push(`example "${example.name}": ${problem}`)
    const parsed = manifest.input.safeParse(example.input)
    if (!parsed.success) say(`its input is not valid: ${parsed.error.message}`)
    else if (!isDeepStrictEqual(manifest.effects(parsed.data), manifest.effects(parsed.data))) say("its effects vary")
    if ((example.output === undefined) === (example.fails === undefined)) say("it needs either an output or a failure")
    for (const [key, value] of Object.entries(example.output ?? {})) {
      const schema = manifest.output.def.shape?.[key]
      if (schema === undefined) say(`the output schema has no "${key}"`)
      else if (!schema.safeParse(value).success) say(`"${key}" does not fit the output schema`)
    }
  }
  return problems
}

async function checkRuns(
  tool: ToolDefinition,
  examples: readonly Example[],
  makeContext: NonNullable<ToolCheckOptions["makeContext"]>,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const example of examples) {
    try {
      const end = await runExample(tool, example, (workspace) => makeContext(tool, workspace))
      problems.push(
        ...echoes(tool, example, end).map((key) => `example "${example.name}": the result repeats "${key}"`),
      )
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  return problems
}

/** Keys of the input that come back whole: in what the model reads when they are large, in data when the tool changes files. */
export function echoes(tool: ToolDefinition, example: Example, end: ExampleEnd): readonly string[] {
  if (end.type === "error") return []
  const input = tool.manifest.input.parse(example.input)
  const paths = tool.manifest.effects(input).flatMap((effect) => ("path" in effect ? [effect.path] : []))
  const contents = Object.entries(input).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === "string" && !paths.includes(entry[1]) && !isChoice(tool.manifest.input.def.shape[entry[0]]),
  )
  const data = Object.values(end.data).filter((value) => typeof value === "string")
  return contents
    .filter(([key, value]) => {
      const large = `${value}${"x".repeat(5_000)}`
      const shown = tool.present(end.data, { ...input, [key]: large })
      const repeated = shown.some((part) => part.type === "text" && part.text.includes(large))
      const kept = tool.manifest.kind === "edit" && value.length >= 4 && data.some((field) => field.includes(value))
      return repeated || kept
    })
    .map(([key]) => key)
}

/** A word out of a list says what was done and repeats nothing of what was sent. */
function isChoice(
  schema: { readonly def: { readonly type: string; readonly innerType?: never } } | undefined,
): boolean {
  if (schema === undefined) return false
  return schema.def.type === "enum" || isChoice(schema.def.innerType)
}

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
