import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { openHaft } from "../open-haft.js"
import { note, printValue } from "../print.js"

/** `haft session fork`: a new session with what another has, up to a point. */
export const run: Run = async (invocation, io) => {
  const { haft } = await openHaft(invocation, io, { touchesFiles: false })
  try {
    const at = invocation.text("at")
    const { id, metadata } = await haft.forkSession(invocation.operands[0]!, at === undefined ? {} : { at })
    printValue(invocation, io, { session: id, forkedFrom: metadata.forkedFrom }, () => id)
    note(invocation, io, `note: it starts without the session's rules; to go on: haft run --session ${id} PROMPT`)
  } finally {
    await haft.close()
  }
  return exitCodes.ok
}
