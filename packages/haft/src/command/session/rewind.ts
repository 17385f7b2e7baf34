import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { openHaft } from "../open-haft.js"
import { note, printValue } from "../print.js"
import { unlessInUse } from "./with-store.js"

/** `haft session rewind`: the conversation goes on behind an earlier turn. */
export const run: Run = async (invocation, io) => {
  const { haft } = await openHaft(invocation, io, { touchesFiles: false })
  try {
    const [session, turn] = invocation.operands as readonly [string, string]
    const kept = await unlessInUse(haft.rewindSession(session, turn))
    printValue(invocation, io, { session, turn: kept }, () => kept)
    note(
      invocation,
      io,
      "note: later turns stay in the journal; files are as they were: haft undo CALL takes a call back",
    )
  } finally {
    await haft.close()
  }
  return exitCodes.ok
}
