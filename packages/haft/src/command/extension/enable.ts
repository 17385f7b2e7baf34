import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { note, printValue } from "../print.js"
import { extensionsHere, extensionText, extensionValue } from "./extension-text.js"

/** `haft extension enable ID`: its tools are offered from the next session on; hosts only where they are named. */
export const run: Run = async (invocation, io) => {
  const enabled = extensionsHere(io).enable(invocation.operands[0]!, invocation.list("grant-net"))
  printValue(invocation, io, extensionValue(enabled), ({ say }) => extensionText(enabled, say))
  note(
    invocation,
    io,
    `Each call of its tools is asked about, unless a rule allows it: haft rule add allow ${enabled.id}__TOOL`,
  )
  return exitCodes.ok
}
