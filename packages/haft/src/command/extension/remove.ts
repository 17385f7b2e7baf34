import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printValue } from "../print.js"
import { extensionsHere } from "./extension-text.js"

/** `haft extension remove ID`: deletes the copy and what was granted; the data that it kept stays. */
export const run: Run = async (invocation, io) => {
  const [id] = invocation.operands
  extensionsHere(io).remove(id!)
  printValue(invocation, io, { removed: id }, ({ say }) => say`${id} is removed`)
  return exitCodes.ok
}
