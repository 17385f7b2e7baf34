/** The same two texts without the line numbers that a reader prints before each line. */
export interface Stripped {
  readonly wanted: string
  readonly replacement: string
}

/** What readers and searches put between a line number and the line. */
const separators = ["\t", "→", " | ", "|", ": ", ":"]

/**
 * Takes away line numbers when every line of `wanted` begins with one and they count up by one.
 * The replacement loses them too; one that is numbered only in part is not understood.
 */
export function stripLineNumbers(wanted: string, replacement: string): Stripped | undefined {
  for (const separator of separators) {
    const lines = wanted.split("\n")
    if (lines.length > 1 && lines.at(-1) === "") lines.pop()
    const numbered = lines.map((line) => splitNumber(line, separator))
    if (!numbered.every((line, index) => line !== undefined && line.number === numbered[0]!.number + index)) continue
    const stripped =
      numbered.map((line) => line!.text).join("\n") + (wanted.endsWith("\n") && lines.length > 0 ? "\n" : "")
    const replaced = stripReplacement(replacement, separator)
    if (replaced === undefined || stripped === "") return undefined
    return { wanted: stripped, replacement: replaced }
  }
  return undefined
}

function stripReplacement(replacement: string, separator: string): string | undefined {
  const lines = replacement.split("\n")
  const numbered = lines.map((line) => splitNumber(line, separator))
  const filled = lines.filter((line) => line.trim() !== "").length
  const hits = numbered.filter((line) => line !== undefined).length
  if (hits === 0) return replacement
  if (hits < filled) return undefined
  return lines.map((line, index) => numbered[index]?.text ?? line).join("\n")
}

function splitNumber(line: string, separator: string): { readonly number: number; readonly text: string } | undefined {
  const digits = /^[ \t]*(\d{1,9})/.exec(line)
  if (digits === null) return undefined
  const rest = line.slice(digits[0].length)
  const number = Number(digits[1])
  if (rest.startsWith(separator)) return { number, text: rest.slice(separator.length) }
  // The blank line of a listing loses its separator when blanks are trimmed.
  return rest.trim() === "" && separator.trim() === "" ? { number, text: "" } : undefined
}
