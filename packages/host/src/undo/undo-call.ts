import { type CallRecord, ToolError } from "@haft/contract"
import { type UndoOptions, type UndoReport, undoEffects } from "./restore/undo-effects.js"

/** What an undo needs of the journal: which call it is about, and the note that it happened. */
export interface UndoJournal {
  call(callId: string): Promise<CallRecord | undefined>
  /** The newest call that changed a file under these roots and was not undone. */
  lastCallWithFileEffects(roots: readonly string[]): Promise<CallRecord | undefined>
  undoneAt(callId: string): Promise<number | undefined>
  markUndone(callId: string, at: number): Promise<void>
}

export interface UndoCallOptions extends UndoOptions {
  /** The call; by default the newest one with file effects in the roots. */
  readonly callId?: string | undefined
}

/** Takes back the file effects of a call, once; a second undo of the same call is a `conflict`. */
export async function undoCall(
  journal: UndoJournal,
  options: UndoCallOptions,
): Promise<UndoReport & { readonly callId: string }> {
  const { callId, roots } = options
  const call = callId === undefined ? await journal.lastCallWithFileEffects(roots) : await journal.call(callId)
  if (!call) {
    const what = callId === undefined ? "any call" : `call "${callId}"`
    throw new ToolError("not_found", `Cannot undo ${what}: there is none with file effects here`, {
      hint: "See the calls of a session with: haft session show ID",
    })
  }
  if (call.copyOf !== undefined) {
    throw new ToolError(
      "conflict",
      `Cannot undo call "${call.callId}": it is a copy, and the first one made the changes`,
      {
        hint: `Take those back with: haft undo ${call.copyOf}`,
      },
    )
  }
  const undone = await journal.undoneAt(call.callId)
  if (undone !== undefined) {
    throw new ToolError(
      "conflict",
      `Cannot undo call "${call.callId}": it was undone ${new Date(undone).toISOString()}`,
    )
  }
  const undoing = undoEffects(call.effects, options)
  const report = await (callId === undefined ? undoing.catch((error) => throwNamed(error, call.callId)) : undoing)
  await journal.markUndone(call.callId, Date.now())
  return { ...report, callId: call.callId }
}

/** A caller that named no call learns which one cannot be undone, and how to get past it. */
function throwNamed(error: unknown, callId: string): never {
  if (!ToolError.is(error)) throw error
  const reason = error.message.replace(/^Cannot undo /, "")
  const another = "undo another call with: haft undo CALL; see the calls with: haft session show ID"
  throw new ToolError(error.code, `Cannot undo the newest call "${callId}": ${reason}`, {
    cause: error,
    hint: error.hint === undefined ? `U${another.slice(1)}` : `${error.hint}, or ${another}`,
    details: { ...(error.details as object | undefined), call_id: callId },
  })
}
