import type { Execute } from "@haft/contract"
import { openGit } from "../shared/git/open-git.js"
import { branch } from "./command/branch.js"
import { checkout } from "./command/checkout.js"
import type { GitCall, GitCommand } from "./command/command.js"
import { diff } from "./command/diff.js"
import { log } from "./command/log.js"
import { remote } from "./command/remote.js"
import { stash } from "./command/stash.js"
import { status } from "./command/status.js"
import type { GitInput, manifest } from "./index.js"
import { assertUsed } from "./used-arguments.js"
import { worktree } from "./worktree/worktree.js"

const commands: Readonly<Record<GitInput["command"], GitCommand>> = {
  status,
  log,
  branch,
  checkout,
  diff,
  stash,
  remote,
  worktree,
}

/** Runs one command in the repository of the working directory. */
export const execute: Execute<typeof manifest> = async (input, context) => {
  assertUsed(input)
  const git = await openGit(context)
  const call: GitCall = { input, git, context }
  const answer = await commands[input.command](call)
  const { level, backend, profile, network } = git.isolation()
  const neutralised = [...new Set([...git.neutralised, ...(answer.neutralised ?? [])])]
  return {
    ...answer,
    command: input.command,
    ...(neutralised.length > 0 && { neutralised }),
    isolation: { level, backend, profile, network },
  }
}
