import type { Hunk } from "@haft/contract"
import { listAt, numberAt, recordOf } from "./read-data.js"

/** What a line of a diff is. */
export type LineMark = "added" | "removed" | "unchanged"

/** A line of a diff with its numbers on both sides. */
export interface DiffLine {
  readonly mark: LineMark
  readonly text: string
  readonly oldLine?: number
  readonly newLine?: number
}

/** Hunks in data of any shape; what is none is left out. */
export function readHunks(value: unknown): readonly Hunk[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry) => {
    const lines = listAt(entry, "lines").filter((line) => typeof line === "string")
    if (recordOf(entry) !== entry || lines.length === 0) return []
    const [oldStart, newStart] = [numberAt(entry, "oldStart") ?? 1, numberAt(entry, "newStart") ?? 1]
    const count = (signs: string) => lines.filter((line) => signs.includes(line[0] ?? " ")).length
    return [{ oldStart, oldLines: count(" -"), newStart, newLines: count(" +"), lines }]
  })
}

/** The lines of a hunk; the remark that a file has no last line break is none of them. */
export function hunkLines({ oldStart, newStart, lines }: Hunk): readonly DiffLine[] {
  let [oldLine, newLine] = [oldStart, newStart]
  return lines.flatMap((line): DiffLine[] => {
    const text = line.slice(1)
    if (line.startsWith("\\")) return []
    if (line.startsWith("+")) return [{ mark: "added", text, newLine: newLine++ }]
    if (line.startsWith("-")) return [{ mark: "removed", text, oldLine: oldLine++ }]
    return [{ mark: "unchanged", text, oldLine: oldLine++, newLine: newLine++ }]
  })
}

/** The same side by side: a removed line is across from the line added in its place. */
export function splitRows(
  lines: readonly DiffLine[],
): readonly (readonly [DiffLine | undefined, DiffLine | undefined])[] {
  const rows: [DiffLine | undefined, DiffLine | undefined][] = []
  let open = 0
  for (const line of lines) {
    if (line.mark === "unchanged") {
      rows.push([line, line])
      open = rows.length
    } else if (line.mark === "removed") {
      // After additions a removal begins another change.
      if (rows[open]?.[1] !== undefined) open = rows.length
      rows.push([line, undefined])
    } else {
      const free = rows.findIndex((row, index) => index >= open && row[1] === undefined)
      if (free < 0) rows.push([undefined, line])
      else rows[free]![1] = line
    }
  }
  return rows
}

/** How many lines hunks add and remove. */
export function diffTotals(hunks: readonly Hunk[]): { readonly added: number; readonly removed: number } {
  const count = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0)
  return { added: count("+"), removed: count("-") }
}

/** The new text with the hunks at these places taken back, so that the old lines are there again. */
export function revertHunks(newText: string, hunks: readonly Hunk[], places: ReadonlySet<number>): string {
  const lines = newText.split("\n")
  // From the end, so that the numbers of earlier hunks stay right.
  for (const [index, hunk] of [...hunks.entries()].reverse()) {
    if (!places.has(index)) continue
    const old = hunk.lines.filter((line) => /^[ -]/.test(line)).map((line) => line.slice(1))
    // By the convention of unified diffs an empty side is numbered by the line before it.
    const from = hunk.newLines === 0 ? hunk.newStart : hunk.newStart - 1
    lines.splice(from, hunk.newLines, ...old)
  }
  return lines.join("\n")
}

/** The hunks that a unified diff is written in, each with its text. */
export function unifiedHunks(diff: string): readonly (Hunk & { readonly source: string })[] {
  return diff
    .split(/^(?=@@)/m)
    .filter((part) => part.startsWith("@@"))
    .map((source) => {
      const [head = "", ...rest] = source.replace(/\n$/, "").split("\n")
      // What follows the hunk in a patch of several files is the head of the next one.
      const end = rest.findIndex((line) => /^(\*\*\* |diff --git )/.test(line))
      const lines = end < 0 ? rest : rest.slice(0, end)
      const [, oldStart = "1", newStart = "1"] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(head) ?? []
      const count = (signs: string) => lines.filter((line) => signs.includes(line[0] ?? " ")).length
      return {
        ...{ oldStart: Number(oldStart), newStart: Number(newStart), lines: lines.map((line) => line || " "), source },
        ...{ oldLines: count(" -"), newLines: count(" +") },
      }
    })
}

/** A unified diff without the hunks at these places. */
export function withoutHunks(diff: string, places: ReadonlySet<number>): string {
  const head = diff.split(/^(?=@@)/m).filter((part) => !part.startsWith("@@"))
  const kept = unifiedHunks(diff).filter((_, index) => !places.has(index))
  return head.join("") + kept.map(({ source }) => source).join("")
}
