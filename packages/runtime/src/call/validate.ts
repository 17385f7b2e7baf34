import { type AnyDialectTool, type AnyManifest, ToolError } from "@haft/contract"
import { refuseLargeArguments } from "./argument-size.js"
import { describeProblems, type Issue } from "./argument-problems.js"
import { repairArguments } from "./repair-arguments.js"

/** Arguments that fit, and what of the given ones was left out, in words for the model. */
export interface Arguments {
  readonly input: Readonly<Record<string, unknown>>
  readonly notes: readonly string[]
}

/** What arguments are read with: a tool, or a row of a dialect. */
export interface ArgumentReader {
  /** The name that the caller used. */
  readonly name: string
  readonly schema: AnyManifest["input"]
  readonly habits?: AnyManifest["habits"] | undefined
  /** The row whose words the caller speaks, where the arguments are made from those of the row. */
  readonly row?: AnyDialectTool | undefined
}

/** Arguments that fit the tool's schema, frozen: what is judged is what runs. */
export function validate(manifest: AnyManifest, raw: unknown, row?: AnyDialectTool): Arguments {
  const { id, input: schema, habits } = manifest
  const { input, notes } = readArguments({ name: row?.name ?? id, schema, habits, row }, raw)
  return { input: freeze(input), notes }
}

const noNotes: readonly string[] = []

/**
 * Arguments as a schema wants them. What did not fit is read once more as models probably mean it; otherwise an error that
 * names each problem and the way to say it.
 */
export function readArguments(reader: ArgumentReader, raw: unknown): Arguments {
  refuseLargeArguments(reader.name, raw)
  const parsed = reader.schema.safeParse(raw ?? {})
  if (parsed.success) return { input: parsed.data, notes: noNotes }
  const { value, dropped } = repairArguments(reader.schema, raw ?? {})
  refuseLargeArguments(reader.name, value)
  const again = reader.schema.safeParse(value)
  if (again.success) return { input: again.data, notes: dropped.map(leftOut) }
  const { text, hint, problems } = describeProblems(reader, again.error.issues as readonly Issue[], value)
  throw new ToolError("invalid_args", `Cannot call "${reader.name}": ${text}`, { hint, details: { problems } })
}

function leftOut(key: string): string {
  return `"${key}" is not an argument of this tool and was left out`
}

function freeze<T>(value: T): T {
  if (value === null || typeof value !== "object" || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) freeze(member)
  return Object.freeze(value)
}
