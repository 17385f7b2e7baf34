import { type CallScope, ToolError } from "@haft/contract"
import { judge } from "../file-session.js"
import type { Place, Target } from "../walk/walk.js"
import type { CallTraces } from "../write/call-traces.js"

/** One end of a move. */
export interface End {
  readonly target: Target
  readonly place: Place
}

/** A move of which both ends are found and held. */
export interface HeldMove {
  readonly source: End
  readonly goal: End
  readonly traces: CallTraces
}

/**
 * Asks for the old and the new place of what is moved, or of something `below` it. What may not be read must not become
 * readable by getting another name.
 */
export function judgeMove(call: CallScope, { source, goal }: Pick<HeldMove, "source" | "goal">, below = ""): void {
  const [from, to] = [source.place.path + below, goal.place.path + below]
  judge(call, "fs.delete", { path: from, target: source.target })
  judge(call, "fs.write", { path: to, target: goal.target })
  if (call.grant.admits("fs.read", from) || !call.grant.admits("fs.read", to)) return
  const what = below === "" ? "it" : "something in it"
  throw new ToolError(
    "denied",
    `Cannot move "${source.target.shown}": ${what} may not be read, and could be read at the new place`,
    { details: { kind: "fs.read", path: from } },
  )
}

/** The failure of a move to a place that is taken. */
export function occupied({ action, shown }: Target): ToolError {
  return new ToolError("conflict", `Cannot ${action} "${shown}": something is there already; choose another name`, {
    hint: "Nothing is overwritten: choose another name, or remove what is there first",
  })
}
