import type { FileReader } from "@haft/contract"
import { shownName } from "../../shared/git/shown-name.js"
import { type GitCommand, listed } from "../command/command.js"
import { create } from "./create.js"
import { isOutOfReach, readWorktrees, type Worktree } from "./read-worktrees.js"
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
const list: GitCommand = async ({ git, context: { files } }) => {
  const known = await readWorktrees(git)
  const worktrees = await Promise.all(known.map((each) => asSeen(each, files)))
  const { list: shown, mark } = listed(worktrees)
  return { text: worktrees.map(line).join("\n"), worktrees: shown, ...mark }
}

/** Git in the sandbox does not see a folder outside the workspace, and says that it is gone. */
async function asSeen(worktree: Worktree, files: FileReader): Promise<Worktree> {
  if (!(await isOutOfReach(files, worktree.path))) return worktree
  const { prunable: _, ...rest } = worktree
  return { ...rest, outside: true }
}

function line({ path, commit, branch, bare, locked, prunable, outside }: Worktree): string {
  const place = bare ? "(bare)" : branch === undefined ? "(detached)" : `[${shownName(branch)}]`
  const facts = [locked && "locked", prunable && "its folder is gone", outside && "outside the workspace"]
  const notes = facts.filter((note) => note !== undefined)
  return [shownName(path), commit?.slice(0, 9) ?? "", place, notes.join(", ")].filter((part) => part !== "").join(" ")
}
