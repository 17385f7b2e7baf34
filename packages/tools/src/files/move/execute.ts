import { type Execute, type MoveReceipt, ToolError } from "@haft/contract"
import { checkMoves } from "./check-moves.js"
import type { manifest } from "./index.js"

/** Checks all moves, then makes them in order; when one fails those before it are moved back. */
export const execute: Execute<typeof manifest> = async ({ moves }, { files }) => {
  await checkMoves(moves, files)
  const made: MoveReceipt[] = []
  for (const [index, { from, to }] of moves.entries()) {
    try {
      made.push(await files.move(from, to))
    } catch (error) {
      const stuck: string[] = []
      for (const move of made.reverse()) {
        await files.move(move.to, move.from).catch(() => stuck.push(files.display(move.to)))
      }
      throw failed(error, { number: index + 1, count: moves.length, stuck })
    }
  }
  return { moved: made.map(({ from, to }) => ({ from: files.display(from), to: files.display(to) })) }
}

interface Failure {
  readonly number: number
  readonly count: number
  /** Paths that could not be moved back. */
  readonly stuck: readonly string[]
}

function failed(error: unknown, { number, count, stuck }: Failure): unknown {
  if (!ToolError.is(error)) return error
  const before =
    number === 2 ? "the move before it was taken back" : `the ${number - 1} moves before it were taken back`
  const undone = number === 1 ? "nothing was moved" : before
  const left = `these could not be moved back: ${stuck.map((path) => `"${path}"`).join(", ")}`
  const which = count === 1 ? "" : ` (move ${number} of ${count})`
  return new ToolError(error.code, `${error.message}${which}; ${stuck.length === 0 ? undone : left}`, {
    cause: error,
    hint: error.steps,
    fix: error.fix,
    details: {
      ...(error.details as object | undefined),
      move: number,
      ...(stuck.length > 0 && { not_moved_back: stuck }),
    },
  })
}
