import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printValue } from "../print.js"
import { extensionsHere, extensionText, extensionValue } from "./extension-text.js"

/** `haft extension disable ID`: what was granted is taken back; the files stay. */
export const run: Run = async (invocation, io) => {
  const disabled = extensionsHere(io).disable(invocation.operands[0]!)
  printValue(invocation, io, extensionValue(disabled), ({ say }) => extensionText(disabled, say))
  return exitCodes.ok
}
