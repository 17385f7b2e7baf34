import { shownName } from "../../shared/git/shown-name.js"
import { type GitCommand, listed } from "../command/command.js"
import { create } from "./create.js"
import { readWorktrees, type Worktree } from "./read-worktrees.js"
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

/** Every work tree with its branch. */
const list: GitCommand = async ({ git }) => {
  const worktrees = await readWorktrees(git)
  const { list: shown, mark } = listed(worktrees)
  return { text: worktrees.map(line).join("\n"), worktrees: shown, ...mark }
}

function line({ path, commit, branch, bare, locked, prunable }: Worktree): string {
  const place = bare ? "(bare)" : branch === undefined ? "(detached)" : `[${shownName(branch)}]`
  const notes = [locked ? "locked" : "", prunable ? "its folder is gone" : ""].filter((note) => note !== "")
  return [shownName(path), commit?.slice(0, 9) ?? "", place, notes.join(", ")].filter((part) => part !== "").join(" ")
}
