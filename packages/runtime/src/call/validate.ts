import { type AnyManifest, nearestNames, ToolError } from "@haft/contract"

/** Arguments that fit the tool's schema, frozen: what is judged is what runs. */
export function validate(manifest: AnyManifest, raw: unknown): Readonly<Record<string, unknown>> {
  return freeze(parseArguments(manifest.input, raw, manifest.id))
}

type ArgumentSchema = AnyManifest["input"]

/** Arguments as a schema wants them; otherwise an error that names each problem and the nearest known key. */
export function parseArguments(schema: ArgumentSchema, raw: unknown, name: string): Record<string, unknown> {
  const parsed = schema.safeParse(raw ?? {})
  if (parsed.success) return parsed.data
  const problems = (parsed.error.issues as readonly Issue[]).flatMap((issue) => describe(issue, schema, raw))
  throw new ToolError("invalid_args", `Cannot call "${name}": ${problems.map((problem) => problem.text).join("; ")}`, {
    hint: problems.find((problem) => problem.hint)?.hint ?? `It takes ${keysOf(schema)}`,
    details: { problems: problems.map(({ path, text }) => ({ path, text })) },
  })
}

interface Issue {
  readonly code: string
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly keys?: readonly string[]
}

interface Problem {
  readonly path: string
  readonly text: string
  readonly hint?: string
}

function describe(issue: Issue, schema: ArgumentSchema, raw: unknown): readonly Problem[] {
  const path = issue.path.join(".")
  if (issue.code === "unrecognized_keys") return (issue.keys ?? []).map((key) => unknownKey(key, path, schema))
  if (path === "") return [{ path, text: `the arguments must be an object, not ${kindOf(raw)}` }]
  const missing = issue.code === "invalid_type" && valueAt(raw, issue.path) === undefined
  const words = issue.message.replace(/^Invalid (input|option): /, "")
  return [
    {
      path,
      text: missing ? `"${path}" is missing: ${words.replace(/, received undefined$/, "")}` : `"${path}": ${words}`,
    },
  ]
}

function unknownKey(key: string, path: string, schema: ArgumentSchema): Problem {
  // Only keys of the top level are known by name here; deeper ones are named with their place.
  const near = path === "" ? nearestNames(key, Object.keys(schema.shape), 1)[0] : undefined
  return {
    path: path === "" ? key : `${path}.${key}`,
    text: `"${path === "" ? key : `${path}.${key}`}" is not an argument of this tool`,
    ...(near === undefined ? {} : { hint: `Did you mean "${near}"? It takes ${keysOf(schema)}` }),
  }
}

function keysOf(schema: ArgumentSchema): string {
  const keys = Object.keys(schema.shape)
  return keys.length === 0 ? "no arguments" : keys.map((key) => `"${key}"`).join(", ")
}

function kindOf(value: unknown): string {
  if (value === null) return "null"
  return Array.isArray(value) ? "an array" : `a ${typeof value}`
}

function valueAt(raw: unknown, path: readonly (string | number)[]): unknown {
  let value = raw
  for (const key of path) value = (value as Record<string | number, unknown> | undefined)?.[key]
  return value
}

function freeze<T>(value: T): T {
  if (value === null || typeof value !== "object" || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) freeze(member)
  return Object.freeze(value)
}
