import { visibleLine } from "@haft/guard"
import type { Say } from "@haft/language"
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
    if (report.ok) return `${style.green("ok")}: ${okWords(report, style.say)}`
    const failed = style.red(style.say`failed`)
    return style.say`${failed} at record ${report.seq} (${report.failure}): ${visibleLine(style.say(report.message))}`
  })
  return report.ok ? exitCodes.ok : exitCodes.checkFailed
}

function okWords({ parts, open }: { readonly parts: number; readonly open: number }, say: Say): string {
  const records = parts === 1 ? say`1 record` : say`${parts} records`
  return open === 0 ? records : say`${records}, ${open} not finished`
}
