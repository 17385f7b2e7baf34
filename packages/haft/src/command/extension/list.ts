import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printRows } from "../print.js"
import { extensionsHere, extensionText, extensionValue } from "./extension-text.js"

/** `haft extension list`: what is installed, what it may do, and why it brings nothing where it does not. */
export const run: Run = async (invocation, io) => {
  const installed = extensionsHere(io).list()
  printRows(invocation, io, installed.map(extensionValue), ({ say }) => {
    return installed.length === 0
      ? say`No extensions; add one with: haft extension add FOLDER`
      : installed.map((each) => extensionText(each, say)).join("\n")
  })
  return exitCodes.ok
}
