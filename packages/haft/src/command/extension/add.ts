import { resolve } from "node:path"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { note, printValue } from "../print.js"
import { extensionsHere, extensionText, extensionValue } from "./extension-text.js"

/** `haft extension add FOLDER`: copies it, or links it in development. No code of it runs. */
export const run: Run = async (invocation, io) => {
  const added = extensionsHere(io).add(resolve(io.cwd, invocation.operands[0]!), { link: invocation.flag("link") })
  printValue(invocation, io, extensionValue(added), ({ say }) => extensionText(added, say))
  if (added.state !== "enabled") note(invocation, io, `It brings its tools after: haft extension enable ${added.id}`)
  return exitCodes.ok
}
