import type { Execute } from "@haft/contract"
import { applyDiff } from "../shared/diff/apply-diff.js"
import { type DiffHunk, parseDiff } from "../shared/diff/parse-diff.js"
import { shownHunk } from "../shared/diff/shown-hunk.js"
import { maxTextBytes } from "../shared/text/open-text.js"
import type { manifest } from "./index.js"

/** Applies the diff to the current bytes of the file, in one turn with no other writer in between. */
export const execute: Execute<typeof manifest> = async ({ file_path, diff }, context) => {
  const hunks = parseDiff(diff)
  await context.files.update(file_path, { maxBytes: maxTextBytes }, ({ bytes }) => applyDiff(bytes, hunks, file_path))
  context.setState({ hunks: hunks.slice(0, maxShownHunks).map(shownHunk) })
  return { file_path, hunks: hunks.length, added: count(hunks, "+"), removed: count(hunks, "-") }
}

/** Hunks are drawn for people: beyond this number nobody looks. */
const maxShownHunks = 200

function count(hunks: readonly DiffHunk[], sign: "+" | "-"): number {
  return hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.sign === sign).length, 0)
}
