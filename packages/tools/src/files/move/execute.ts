import { type Execute, type FileReader, isBelow, type MoveReceipt, ToolError } from "@haft/contract"
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

/** A move as the caller names it. */
interface NamedMove {
  readonly from: string
  readonly to: string
}

/** Checks all moves before the first is made, each in the state that those before it will have left. */
async function checkMoves(moves: readonly NamedMove[], files: Pick<FileReader, "locate">): Promise<void> {
  const left = new Map<string, number>()
  const taken = new Map<string, number>()
  for (const [index, { from, to }] of moves.entries()) {
    const number = index + 1
    const refuse = refusal(moves, number)
    const source = (await files.locate(from)).absolute
    const goal = (await files.locate(to)).absolute
    if (source === goal) throw refuse("invalid_args", "both are the same place")
    if (isBelow(goal, source)) throw refuse("invalid_args", "a folder cannot be moved into itself")
    const goneBy = left.get(source)
    if (goneBy !== undefined) throw refuse("invalid_args", `move ${goneBy} has already moved "${from}" away`)
    const takenBy = taken.get(goal)
    if (takenBy !== undefined) throw refuse("invalid_args", `move ${takenBy} goes to the same place`)
    if (!coveredBy(taken, source) && !coveredBy(left, source)) await assertThere(from, files, refuse)
    if (!coveredBy(taken, goal) && !coveredBy(left, goal) && (await files.locate(to)).kind !== "missing") {
      throw refuse("conflict", `"${to}" exists already; choose another name`)
    }
    taken.delete(source)
    left.delete(goal)
    left.set(source, number)
    taken.set(goal, number)
  }
}

type Refuse = (code: "invalid_args" | "conflict" | "not_found", reason: string) => ToolError

async function assertThere(from: string, files: Pick<FileReader, "locate">, refuse: Refuse): Promise<void> {
  if ((await files.locate(from)).kind !== "missing") return
  throw refuse("not_found", `"${from}" does not exist`)
}

/** Whether an earlier move has changed what is at a path, or above it; then only the move itself can tell. */
function coveredBy(paths: ReadonlyMap<string, number>, path: string): boolean {
  for (const each of paths.keys()) if (path === each || isBelow(path, each)) return true
  return false
}

function refusal(moves: readonly NamedMove[], number: number): Refuse {
  const { from, to } = moves[number - 1]!
  const which = moves.length === 1 ? "" : ` (move ${number})`
  return (code, reason) =>
    new ToolError(code, `Cannot move "${from}" to "${to}"${which}: ${reason}; nothing was moved`, {
      details: { move: number },
    })
}
