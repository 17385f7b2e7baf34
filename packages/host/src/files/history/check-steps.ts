import type { FileSession } from "../file-session.js"
import { assertAsLeft, isBack } from "./assert-as-left.js"
import { atPlaces } from "./at-place.js"
import { isFolderMode, isInPlaceOfFolder, shutOff, takenAway, type UndoStep } from "./undo-plan.js"

/** What is to be undone, before the first step. */
export interface CheckRequest {
  readonly steps: readonly UndoStep[]
  readonly moves: ReadonlyMap<UndoStep, UndoStep>
  /** An earlier undo of the same ended half-way. */
  readonly isResumed: boolean
}

/** Throws unless everything is as it was left; gives the steps that an earlier undo has made already. */
export async function checkSteps(
  session: FileSession,
  { steps, moves, isResumed }: CheckRequest,
): Promise<ReadonlySet<UndoStep>> {
  const leaving = takenAway(steps)
  const done = new Set<UndoStep>()
  // What was moved away is gone by an undo only where it came back.
  const cameBack = (step: UndoStep) => !moves.has(step) || done.has(moves.get(step)!)
  const check = (step: UndoStep) =>
    atPlaces(session, [step.path], async ([at]) => {
      const isMine = isResumed && step.from !== step.to && !isFolderMode(step)
      if (isMine && cameBack(step) && (await isBack(step, at!))) return void done.add(step)
      if (!isFolderMode(step) || !step.isFilled) {
        const anyMode = moves.has(step) || step.from === step.to
        await assertAsLeft(session, step, { ...at!, anyMode, leaving })
      } else if (step.from === null && at!.place.facts && !isResumed) {
        // Somebody made the folder again and chose its mode.
        done.add(step)
      }
    })
  const [first, others] = [steps.filter(isInPlaceOfFolder), steps.filter((step) => !isInPlaceOfFolder(step))]
  for (const step of first) await check(step)
  const unreachable = shutOff(
    others,
    first.filter((step) => !done.has(step)),
  )
  const reachable = others.filter((step) => !unreachable.has(step))
  for (const step of reachable.filter((one) => !moves.has(one))) await check(step)
  for (const step of reachable.filter((one) => moves.has(one))) await check(step)
  return done
}
