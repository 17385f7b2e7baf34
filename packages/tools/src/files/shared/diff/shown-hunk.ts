import type { Hunk } from "@haft/contract"
import type { DiffHunk } from "./parse-diff.js"

/** A hunk of a diff as people are shown it. */
export function shownHunk({ oldStart, oldCount, newStart, newCount, lines }: DiffHunk): Hunk {
  const noLineFeed = "\\ No newline at end of file"
  return {
    oldStart,
    oldLines: oldCount,
    newStart,
    newLines: newCount,
    lines: lines.flatMap(({ sign, text, hasLineFeed }) => (hasLineFeed ? [sign + text] : [sign + text, noLineFeed])),
  }
}
