import { ToolError } from "@haft/contract"
import { lstat } from "../system/file-call.js"
import type { Program } from "../system/program.js"
import type { Target } from "./walk.js"

/** Throws `conflict` when the root's path resolves to another directory than at the opening of the session. */
export function* assertSameRoot(target: Target): Program<void> {
  const { root } = target
  const facts = yield* lstat(root.path)
  if (facts?.isDirectory() && facts.dev === root.device && facts.ino === root.inode) return
  throw new ToolError(
    "conflict",
    `Cannot ${target.action} "${target.shown}": the root "${root.path}" was replaced since the session was opened; open a new session`,
  )
}

/** The failure of a walk whose path changes under its feet. */
export function unsteadyPath({ action, shown }: Target): ToolError {
  return new ToolError("conflict", `Cannot ${action} "${shown}": its path is being changed; try again`)
}
