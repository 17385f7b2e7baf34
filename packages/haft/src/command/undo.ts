import { visibleLine } from "../terminal/visible.js"
import { leftLines } from "./undo/left-lines.js"
import type { Run } from "./command.js"
import { exitCodes } from "./exit-code.js"
import { openHaft } from "./open-haft.js"
import { printValue } from "./print.js"

/** `haft undo`: takes back the file effects of a call. A file that changed since is left alone, and nothing is undone. */
export const run: Run = async (invocation, io) => {
  const { haft } = await openHaft(invocation, io, { touchesFiles: true })
  try {
    const report = await haft.undo(invocation.operands[0])
    printValue(invocation, io, report, () => {
      const lines = [
        ...report.restored.map((path) => `restored ${visibleLine(path)}`),
        ...report.removed.map((path) => `removed ${visibleLine(path)}`),
        ...report.removedDirectories.map((path) => `removed ${visibleLine(path)}/`),
        ...leftLines(report.left ?? []),
      ]
      return lines.length > 0 ? lines.join("\n") : "nothing to take back"
    })
    return exitCodes.ok
  } finally {
    await haft.close()
  }
}
