import { ToolError } from "@haft/contract"
import { quoted } from "./quoted.js"

/** Refuses a pattern that no single line can match; the hint is made from its lines, as patterns of their own. */
export function refuseLineBreak(pattern: string, hint: (lines: readonly string[]) => string): void {
  const lines = linesOf(pattern)
  if (lines.length < 2) return
  const reason = "it contains a line break, and the search goes line by line"
  const characters = pattern.includes("\\n") ? ". To find a backslash and an n as they stand, write \\\\n" : ""
  throw new ToolError("invalid_args", `Cannot search for ${quoted(pattern)}: ${reason}`, {
    hint: `${hint(lines)}${characters}`,
  })
}

/** Which line can be searched for alone, by its place; undefined when each is a fragment of an expression. */
export function searchableLine(lines: readonly string[]): number | undefined {
  const index = lines.findIndex((line) => line.trim() !== "" && !/[()[\]{}\\|]/.test(line) && !/^[*+?]/.test(line))
  return index < 0 ? undefined : index
}

/** The parts of a pattern between line breaks, also written ones; `[^\n]` holds none. */
function linesOf(pattern: string): readonly string[] {
  // With this flag a real line break is a blank between parts of the expression.
  const isSpaced = /\(\?[a-z]*x/i.test(pattern)
  const lines: string[] = []
  let from = 0
  let isClosed = true
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index]
    const width = pattern.startsWith("\\n", index) ? 2 : character === "\n" && !isSpaced ? 1 : 0
    if (width > 0) {
      lines.push(pattern.slice(from, index).replace(/(?:\r|\\r\??)$/, ""))
      from = index + width
      index = from - 1
    } else if (character === "\\") index += 1
    else if (character === "[" && isClosed) {
      const end = pattern.indexOf("]", index + 2)
      isClosed = end >= 0
      if (isClosed) index = end
    }
  }
  return [...lines, pattern.slice(from)]
}
