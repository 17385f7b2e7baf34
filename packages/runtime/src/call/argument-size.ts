import { ToolError } from "@haft/contract"

/** Bytes of all texts in the arguments of one call: the largest file that can be written, its path, and a little more. */
const maxArgumentBytes = 16 * 1024 * 1024 + 65_536

/**
 * Refuses arguments that no tool takes, before they are judged, hashed, searched for secrets and recorded: each of these
 * reads them once more.
 */
export function refuseLargeArguments(name: string, given: unknown): void {
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
