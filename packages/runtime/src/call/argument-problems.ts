import type { AnyDialectTool, AnyManifest, Hint, Step } from "@haft/contract"
import { wayToSay } from "./argument-synonyms.js"
import { type PublishedSchema, publishedSchema } from "./repair-arguments.js"

/** One objection of the validator. */
export interface Issue {
  readonly code: string
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly expected?: string
  readonly origin?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly values?: readonly unknown[]
  readonly keys?: readonly string[]
  /** What each branch of a union, or the schema of a key, objects to. */
  readonly errors?: readonly (readonly Issue[])[]
  readonly issues?: readonly Issue[]
}

/** What is wrong with arguments, for the model in words and for programs in parts. */
export interface ProblemWords {
  readonly text: string
  readonly hint: Hint
  readonly problems: readonly Problem[]
}

interface Problem {
  readonly path: string
  readonly text: string
  /** The validator's own code and words. */
  readonly code: string
  readonly message: string
}

interface Reader {
  readonly schema: AnyManifest["input"]
  readonly habits?: AnyManifest["habits"] | undefined
  readonly row?: AnyDialectTool | undefined
}

// A long list may be wrong in every entry; a few say it.
const mostProblems = 8
const mostCharacters = 80

/** The problems of arguments in our words, never the validator's, and how to say what was meant. */
export function describeProblems(
  { schema, habits, row }: Reader,
  issues: readonly Issue[],
  raw: unknown,
): ProblemWords {
  const published = publishedSchema(row?.input ?? schema)
  const distinct = oneForEachPlace(issues)
  const shown = distinct.slice(0, mostProblems)
  const problems = shown.flatMap((issue) => problemsOf(issue, raw, row?.keys))
  const more = distinct.length > shown.length ? [`and ${distinct.length - shown.length} more`] : []
  const text = [...problems.map((problem) => problem.text), ...more].join("; ")
  return { text, hint: hintFor(shown.filter(isUnknownKey), published, habits), problems }
}

/** The same for any other value, a sentence for each place. */
export function problemSentences(issues: readonly Issue[], raw: unknown): readonly string[] {
  const distinct = oneForEachPlace(issues)
  const shown = distinct.slice(0, mostProblems).flatMap((issue) => problemsOf(issue, raw))
  const more = distinct.length > mostProblems ? [`and ${distinct.length - mostProblems} more`] : []
  const said = shown.map(({ text }) =>
    text.replace(/^the arguments must/, "it must").replace(/ is not an argument of this tool$/, " is not known"),
  )
  return [...said, ...more]
}

function hintFor(
  unknown: readonly Issue[],
  published: PublishedSchema,
  habits: Reader["habits"],
): readonly (string | Step)[] {
  const ways = unknown.flatMap(({ path, keys = [] }) => {
    const place = schemaAt(published, path)
    return keys.flatMap(
      (key): Hint =>
        (path.length === 0 && habits && Object.hasOwn(habits, key) ? habits[key] : undefined) ??
        wayToSay(shortened(key), place) ??
        [],
    )
  })
  const places = unknown.length === 0 ? [published] : unknown.map(({ path }) => schemaAt(published, path))
  return [...new Set([...ways.flat(), ...places.map((place) => `It takes ${keysOf(place)}`)])]
}

function isUnknownKey({ code }: Issue): boolean {
  return code === "unrecognized_keys"
}

/** Each unknown key by itself; of several objections to one value, which is then of the wrong type, the first. */
function oneForEachPlace(issues: readonly Issue[]): readonly Issue[] {
  const said = new Set<string>()
  return issues
    .flatMap((issue) => (isUnknownKey(issue) ? (issue.keys ?? []).map((key) => ({ ...issue, keys: [key] })) : [issue]))
    .filter((issue) => {
      const place = [...issue.path, ...(issue.keys ?? [])].join(".")
      return !said.has(place) && said.add(place)
    })
}

function problemsOf(issue: Issue, raw: unknown, names: AnyDialectTool["keys"] = {}): readonly Problem[] {
  const { code } = issue
  const steps = [...issue.path, ...(isUnknownKey(issue) ? (issue.keys ?? []) : [])]
  const path = shortened(steps.map((step) => (Object.hasOwn(names, step) ? names[step] : step)).join("."))
  const problem = (text: string) => [{ path, text, code, message: shortened(issue.message) }]
  if (isUnknownKey(issue)) return problem(`"${path}" is not an argument of this tool`)
  if (path === "") return problem(notAnObject(raw))
  if (code === "invalid_union") {
    const inner = deepestBranch(issue)
    if (inner)
      return inner.flatMap((deeper) => problemsOf({ ...deeper, path: [...issue.path, ...deeper.path] }, raw, names))
  }
  const value = valueAt(raw, issue.path)
  if (value === undefined || (value === null && code === "invalid_type"))
    return problem(`"${path}" is missing: ${wanted(issue)}`)
  // The words of the tool itself.
  if (code === "custom") return problem(`"${path}"${issue.message.startsWith("must ") ? "" : ":"} ${issue.message}`)
  return problem(`"${path}" must ${demand(issue)}${received(issue, value)}`)
}

function shortened(words: string): string {
  return words.length <= mostCharacters ? words : `${words.slice(0, mostCharacters - 1)}…`
}

function notAnObject(raw: unknown): string {
  if (typeof raw === "string") return "the arguments must be an object, and this text is not a JSON object"
  return `the arguments must be an object, not ${kindOf(raw)}`
}

/** Of a union the one branch that the value was meant for: only its objections say something. */
function deepestBranch({ errors = [] }: Issue): readonly Issue[] | undefined {
  const deeper = errors.filter((branch) => branch.length > 0 && branch.every(({ path }) => path.length > 0))
  return deeper.length === 1 ? deeper[0] : undefined
}

const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
  null: "null",
}

/** What must be there, as a noun. */
function wanted(issue: Issue): string {
  const { code, expected = "", values = [], errors = [] } = issue
  if (code === "invalid_type") return typeWords[expected] ?? expected
  if (code === "invalid_value") return choices(values)
  if (code === "invalid_union") {
    const branches = errors.flatMap(([first]) => (first ? [wanted(first)] : []))
    return [...new Set(branches)].join(" or ") || "another value"
  }
  return "another value"
}

/** What a value must do, after the word "must". */
function demand(issue: Issue): string {
  const { code, origin = "", minimum = 0, maximum = 0 } = issue
  switch (code) {
    case "invalid_type":
    case "invalid_value":
    case "invalid_union":
      return `be ${wanted(issue)}`
    case "too_small":
      if (origin === "string") return minimum === 1 ? "not be empty" : `have at least ${minimum} characters`
      return countable.has(origin) ? `have at least ${entries(minimum)}` : `be at least ${minimum}`
    case "too_big":
      if (origin === "string") return `have at most ${maximum} characters`
      return countable.has(origin) ? `have at most ${entries(maximum)}` : `be at most ${maximum}`
    case "invalid_key":
      return "have another name"
    default:
      return "be written in another way"
  }
}

const countable = new Set(["array", "set", "map", "object", "record"])

function entries(count: number): string {
  return count === 1 ? "one entry" : `${count} entries`
}

function choices(values: readonly unknown[]): string {
  const shown = values.map((value) => JSON.stringify(value))
  return shown.length === 1 ? shown[0]! : `one of ${shown.join(", ")}`
}

/** What was there instead, where that is short and says more than the demand. */
function received({ code }: Issue, value: unknown): string {
  if (code === "invalid_type" || code === "invalid_union") return `, not ${shortValue(value) ?? kindOf(value)}`
  const shown = value === "" ? undefined : shortValue(value)
  return shown === undefined ? "" : `, not ${shown}`
}

function shortValue(value: unknown): string | undefined {
  if (typeof value === "object" && value !== null) return undefined
  const shown = typeof value === "string" && value.length > mostCharacters ? undefined : JSON.stringify(value)
  return shown !== undefined && shown.length <= mostCharacters ? shown : undefined
}

function kindOf(value: unknown): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

function keysOf({ properties = {}, required = [] }: PublishedSchema): string {
  const keys = Object.keys(properties)
  if (keys.length === 0) return "no arguments"
  return keys.map((key) => `"${key}"${required.includes(key) ? " (required)" : ""}`).join(", ")
}

function schemaAt(schema: PublishedSchema, path: readonly (string | number)[]): PublishedSchema {
  let place = schema
  for (const key of path) {
    const inner = typeof key === "number" ? place.items : place.properties?.[key]
    if (inner === undefined) return schema
    place = inner
  }
  return place
}

function valueAt(raw: unknown, path: readonly (string | number)[]): unknown {
  let value = raw
  for (const key of path) value = (value as Record<string | number, unknown> | null | undefined)?.[key]
  return value
}
