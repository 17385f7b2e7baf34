import { ToolError } from "@haft/contract"

/** The failure that ripgrep's complaints stand for, when it gave up without searching. */
export function patternError(pattern: string, complaints: readonly string[]): ToolError {
  const complaint = complaints.join("\n").replace(/^rg: /, "")
  const reason = reasonOf(complaint)
  if (reason === undefined) {
    return new ToolError("backend", `Cannot search for "${shorten(pattern)}": ripgrep says "${shorten(complaint)}"`)
  }
  const literal = escapeExpression(pattern)
  return new ToolError("invalid_args", `Cannot search for "${shorten(pattern)}": ${reason}`, {
    hint: `To find this text as it stands, use the pattern ${JSON.stringify(shorten(literal))}`,
    details: { literal },
  })
}

function reasonOf(complaint: string): string | undefined {
  if (complaint.includes('the literal "\\n" is not allowed')) {
    return "a pattern cannot contain a line break, the search goes line by line; search for one of the lines"
  }
  if (/exceeds size limit/.test(complaint)) {
    return "the pattern becomes too large when its repetitions are unfolded; use smaller counts"
  }
  const error = /^error: (.*)$/m.exec(complaint)?.[1]
  if (error === undefined) return undefined
  const place = placeOf(complaint)
  return `it is no valid regular expression, ${error}${place === undefined ? "" : ` at character ${place}`}; correct or escape it`
}

/** Where the first caret points, counted from 1 in the pattern as the caller wrote it. */
function placeOf(complaint: string): number | undefined {
  const lines = complaint.split("\n")
  const row = lines.findIndex((line) => /^\s*\^+/.test(line))
  // ripgrep indents by four and wraps the pattern into "(?:" and ")".
  const column = row === 2 ? lines[row]!.indexOf("^") - 4 - 3 : -1
  return column >= 0 ? column + 1 : undefined
}

function escapeExpression(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$#&\-~]/g, "\\$&")
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
