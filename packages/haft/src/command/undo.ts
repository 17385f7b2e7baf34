import { visibleLine } from "@haft/guard"
import type { UndoReport } from "@haft/host"
import type { Say } from "@haft/language"
import type { Run } from "./command.js"
import { exitCodes } from "./exit-code.js"
import { openHaft } from "./open-haft.js"
import { printValue } from "./print.js"

/** `haft undo`: takes back the file effects of a call. A file that changed since is left alone, and nothing is undone. */
export const run: Run = async (invocation, io) => {
  const { haft } = await openHaft(invocation, io, { touchesFiles: true })
  try {
    const report = await haft.undo(invocation.operands[0])
    printValue(invocation, io, report, ({ say }) => undoWords(report, say))
    return exitCodes.ok
  } finally {
    await haft.close()
  }
}

/** What was taken back, one line each. */
export function undoWords(report: UndoReport, say: Say): string {
  const lines = [
    ...report.restored.map((path) => say`restored ${visibleLine(path)}`),
    ...report.removed.map((path) => say`removed ${visibleLine(path)}`),
    ...report.removedDirectories.map((path) => say`removed ${`${visibleLine(path)}/`}`),
    ...leftLines(report.left ?? [], say),
  ]
  return lines.length > 0 ? lines.join("\n") : say`nothing to take back`
}

/** One line a reason why something stays as a call left it: git alone changes a dozen files at once. */
function leftLines(left: readonly { readonly path: string; readonly reason: string }[], say: Say): readonly string[] {
  const byReason = new Map<string, string[]>()
  for (const { path, reason } of left) {
    const paths = byReason.get(reason)
    if (paths) paths.push(path)
    else byReason.set(reason, [path])
  }
  return [...byReason].map(([reason, paths]) => {
    const [first = ""] = paths
    const why = visibleLine(say(reason))
    if (paths.length === 1) return say`left ${visibleLine(first)}: ${why}`
    return say`left ${visibleLine(first)} and ${paths.length - 1} more: ${why}`
  })
}
