import { visibleLine } from "@haft/guard"
import { sessionNamed } from "../../library/branch-session.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printValue } from "../print.js"
import { withStore } from "./with-store.js"

/** `haft session verify`: whether any record was changed, removed or moved. */
export const run: Run = async (invocation, io) => {
  const report = await withStore(invocation, io, async (store, { roots }) =>
    store.verify((await sessionNamed(store, invocation.operands[0]!, roots)).id),
  )
  printValue(invocation, io, report, (style) => {
    if (report.ok)
      return `${style.green("ok")}: ${report.parts} ${report.parts === 1 ? "record" : "records"}${report.open > 0 ? `, ${report.open} not finished` : ""}`
    return `${style.red("failed")} at record ${report.seq} (${report.failure}): ${visibleLine(report.message)}`
  })
  return report.ok ? exitCodes.ok : exitCodes.checkFailed
}
