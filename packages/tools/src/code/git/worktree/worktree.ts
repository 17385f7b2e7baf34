import type { GitCommand } from "../command/command.js"
import { create } from "./create.js"
import { list } from "./list.js"
import { remove } from "./remove.js"

/** Lists, creates or removes the work trees of the repository. */
export const worktree: GitCommand = (call) => {
  switch (call.input.subcommand) {
    case "create":
      return create(call)
    case "remove":
      return remove(call)
    default:
      return list(call)
  }
}
