import { type FileReader, ToolError } from "@haft/contract"

/** A move as the caller names it. */
export interface NamedMove {
  readonly from: string
  readonly to: string
}

/** Checks all moves before the first is made, each in the state that those before it will have left. */
export async function checkMoves(moves: readonly NamedMove[], files: Pick<FileReader, "locate">): Promise<void> {
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

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`)
}

function refusal(moves: readonly NamedMove[], number: number): Refuse {
  const { from, to } = moves[number - 1]!
  const which = moves.length === 1 ? "" : ` (move ${number})`
  return (code, reason) =>
    new ToolError(code, `Cannot move "${from}" to "${to}"${which}: ${reason}; nothing was moved`, {
      details: { move: number },
    })
}
