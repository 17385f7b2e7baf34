import { type AnyDialectTool, type AnyManifest, ToolError } from "@haft/contract"
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

/** Bytes of all texts in the arguments of one call: the largest file that can be written, its path, and a little more. */
const maxArgumentBytes = 16 * 1024 * 1024 + 65_536

/**
 * Refuses arguments that no tool takes, before they are judged, hashed, searched for secrets and recorded: each of these
 * reads them once more.
 */
function refuseLargeArguments(name: string, given: unknown): void {
  if (!isLarge(given)) return
  throw new ToolError("too_large", `Cannot call "${name}": the arguments have more than ${maxArgumentBytes} bytes`, {
    hint: "Send less in one call, for instance a text in parts to several files",
    details: { limit: maxArgumentBytes },
  })
}

/** Arguments as they are recorded: of those that are too large only the beginning of each text. */
export function recordable(given: unknown): unknown {
  if (typeof given === "string") return given.length > maxArgumentBytes ? shortened(given) : given
  if (!isLarge(given)) return given
  return JSON.parse(
    JSON.stringify(given, (_, value: unknown) => (typeof value === "string" ? shortened(value) : value)),
  )
}

// Arguments that arrive as JSON text may be longer than what they say: a control character takes six.
const maxEscapeUnits = 6
const recordedUnits = 2_000

function shortened(text: string): string {
  return text.length <= recordedUnits ? text : `${text.slice(0, recordedUnits)}… (${text.length} characters)`
}

function isLarge(given: unknown): boolean {
  if (typeof given === "string") return given.length > maxEscapeUnits * maxArgumentBytes
  const texts = textsIn(given)
  let units = 0
  for (const text of texts) units += text.length
  // A code unit has one to three bytes, so that the texts need not be read to be sure in most cases.
  if (units > maxArgumentBytes) return true
  if (3 * units <= maxArgumentBytes) return false
  let bytes = 0
  for (const text of texts) bytes += utf8Length(text)
  return bytes > maxArgumentBytes
}

/** Every text in a value; one that leads back to itself is looked at once. */
function textsIn(given: unknown): readonly string[] {
  const texts: string[] = []
  const left: unknown[] = [given]
  let seen: Set<unknown> | undefined
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === "string") texts.push(value)
    if (typeof value !== "object" || value === null) continue
    for (const member of Object.values(value)) {
      if (typeof member === "string") texts.push(member)
      else if (typeof member === "object" && member !== null) {
        seen ??= new Set([given])
        if (!seen.has(member)) left.push(member)
        seen.add(member)
      }
    }
  }
  return texts
}

function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // Each half of a surrogate pair counts for two of its four bytes.
    if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2
  }
  return bytes
}
