import { type FileSession, perform } from "../file-session.js"
import { moveFileAnew } from "../move/move-file-anew.js"
import { assertAsLeft } from "./assert-as-left.js"
import { atPlaces } from "./at-place.js"
import { setMode } from "./set-mode.js"
import type { UndoStep } from "./undo-plan.js"

/** Gives a file that was moved its former name again, and its former mode. */
export async function moveBack(session: FileSession, step: UndoStep, origin: UndoStep): Promise<void> {
  await atPlaces(session, [step.path, origin.path], async ([source, goal]) => {
    const current = await assertAsLeft(session, step, { ...source!, anyMode: true })
    await assertAsLeft(session, origin, goal!)
    const { facts } = current!
    await perform(goal!.target, function* () {
      if (origin.mode !== undefined && (facts.mode & 0o7777) !== origin.mode) yield* setMode(source!, origin.mode)
      yield* moveFileAnew({ source: source!, goal: goal!, facts, hash: step.from! })
    })
  })
}
