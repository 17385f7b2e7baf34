import { type OutputOf, type Present, text } from "@haft/contract"
import { onOneLine } from "../shared/on-one-line.js"
import { quoted } from "../shared/quoted.js"
import { severalNotes } from "../shared/several-note.js"
import { skippedNotes } from "../shared/skipped.js"
import type { manifest } from "./manifest.js"

type Match = OutputOf<typeof manifest>["matches"][number]

/** Each file once with its lines below it (`12:` a match, `13-` a line around one), then the counts. */
export const present: Present<typeof manifest> = (output, { pattern, glob }) => {
  const { matches, match_count, file_count, complete } = output
  const lines = matches.some(({ before, after }) => before?.length || after?.length)
    ? byFile(matches).flatMap(linesWithContext)
    : plainLines(matches)
  const notes = [
    match_count === 0
      ? `No line matches ${quoted(pattern)}`
      : `${counted(match_count, "match", "matches")} in ${counted(file_count, "file", "files")}`,
    ...(match_count === 0 ? severalNotes(glob) : []),
    ...(output.timed_out ? ["timed out; narrow path or glob"] : []),
    ...(complete || output.timed_out ? [] : ["there may be more; narrow pattern, path or glob"]),
    ...skippedNotes(output.skipped),
  ]
  lines.push(`[${notes.join("; ")}]`)
  return [text(lines.join("\n"))]
}

/** Without surroundings a result of thousands is common, and each match is one line; several in one line are shown once. */
function plainLines(matches: readonly Match[]): string[] {
  const lines: string[] = []
  let last: Match | undefined
  for (const match of matches) {
    const isSameFile = match.path === last?.path
    if (!isSameFile) lines.push(onOneLine(match.path))
    else if (match.line <= last!.line) continue
    lines.push(`${match.line}:${match.text}`)
    last = match
  }
  return lines
}

function byFile(matches: readonly Match[]): readonly (readonly Match[])[] {
  const files: Match[][] = []
  for (const match of matches) {
    const file = files.at(-1)
    if (file?.[0]?.path === match.path) file.push(match)
    else files.push([match])
  }
  return files
}

/** The surroundings of two near matches overlap; every line is shown once, and a gap as `--`. */
function linesWithContext(matches: readonly Match[]): readonly string[] {
  const matched = new Map(matches.map(({ line, text }) => [line, text]))
  const hasContext = matches.some(({ before, after }) => before?.length || after?.length)
  const shown: string[] = [onOneLine(matches[0]!.path)]
  let last: number | undefined
  const show = (line: number, value: string) => {
    if (last !== undefined && line <= last) return
    if (last !== undefined && line > last + 1 && hasContext) shown.push("--")
    shown.push(`${line}${matched.has(line) ? ":" : "-"}${matched.get(line) ?? value}`)
    last = line
  }
  for (const { line, text, before = [], after = [] } of matches) {
    for (const [index, value] of before.entries()) show(line - before.length + index, value)
    show(line, text)
    for (const [index, value] of after.entries()) show(line + 1 + index, value)
  }
  return shown
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
