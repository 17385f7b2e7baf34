import { ToolError } from "@haft/contract"

/** The failure that ripgrep's complaints mean, when it gave up without searching. */
export function patternError(pattern: string, complaints: readonly string[]): ToolError {
  const complaint = complaints.join("\n").replace(/^rg: /, "")
  if (complaint.includes("PCRE2 is not available")) return withoutPcre2(pattern)
  if (complaint.includes('the literal "\\n" is not allowed')) return lineBreak(pattern)
  const reason = reasonOf(complaint, pattern)
  if (reason === undefined) {
    return new ToolError("backend", `Cannot search for "${shorten(pattern)}": ripgrep says "${shorten(complaint)}"`)
  }
  const literal = escapeExpression(pattern)
  return new ToolError("invalid_args", `Cannot search for "${shorten(pattern)}": ${reason}`, {
    hint: `To find this text as it is, use the pattern ${JSON.stringify(shorten(literal))}`,
    details: { literal },
  })
}

function reasonOf(complaint: string, pattern: string): string | undefined {
  if (/exceeds size limit/.test(complaint)) {
    return "the pattern becomes too large when its repetitions are unfolded; use smaller counts"
  }
  const [, offset, problem] = /^PCRE2: error compiling pattern at offset (\d+): (.*)$/m.exec(complaint) ?? []
  const error = problem ?? /^error: (.*)$/m.exec(complaint)?.[1]
  if (error === undefined) return undefined
  const place =
    offset === undefined ? placeOf(complaint) : Math.min(Number(offset) - wrapped.length, pattern.length) + 1
  return `it is no valid regular expression, ${error}${place === undefined ? "" : ` at character ${place}`}; correct or escape it`
}

/** Where the first caret points, counted from 1 in the pattern as the caller wrote it. */
function placeOf(complaint: string): number | undefined {
  const lines = complaint.split("\n")
  const row = lines.findIndex((line) => /^\s*\^+/.test(line))
  // ripgrep indents by four.
  const column = row === 2 ? lines[row]!.indexOf("^") - 4 - wrapped.length : -1
  return column >= 0 ? column + 1 : undefined
}

// What ripgrep puts before a pattern.
const wrapped = "(?:"

/** A file in which PCRE2 gave up. */
export interface GivenUp {
  /** As shown to people. */
  readonly path: string
  readonly reason: string
}

/** The failure of a search that went on for too long in one line: what it found elsewhere would pass for all. */
export function givenUpError(pattern: string, { path, reason }: GivenUp): ToolError {
  const words = `it needs too many steps in "${path}", PCRE2 says "${reason}"`
  return new ToolError("invalid_args", `Cannot search for "${shorten(pattern)}": ${words}`, {
    hint: "Write it without repetitions inside of repetitions, without look-around and back-references, or leave this file out with path or glob",
  })
}

function withoutPcre2(pattern: string): ToolError {
  const reason = "this ripgrep was built without PCRE2, which look-around and back-references need"
  return new ToolError("not_configured", `Cannot search for "${shorten(pattern)}": ${reason}`, {
    hint: "Search without look-around and back-references, and look through what is found",
  })
}

function lineBreak(pattern: string): ToolError {
  const reason = "it contains a line break, and the search goes line by line"
  return new ToolError("invalid_args", `Cannot search for "${shorten(pattern)}": ${reason}`, {
    hint: "Search for a part that is in one line",
  })
}

function escapeExpression(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$#&\-~]/g, "\\$&")
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
