import type { SeedStatement } from "./seed-statement.js"

const here = "packages/haft/test/seeds/seed-004.test.ts"
const works = (number: number, statement: string, test = here): SeedStatement => ({
  ...{ id: `004-${number}`, statement, test },
  state: "works",
})
const decided = (number: number, statement: string, decision: string): SeedStatement => ({
  ...{ id: `004-${number}`, statement, test: here, decision },
  state: "decision",
})

const note = "docs/decisions/044-a3s-git-and-boxes.md"

/** The statements of the page about the tools of A3S Code, in its order. */
export const seed004: readonly SeedStatement[] = [
  works(1, "twelve tools with the names, arguments, defaults and descriptions of the page, in every format"),
  works(2, "read gives numbered lines from an offset counted from 0, and says where to go on"),
  works(3, "write creates a file and its folders"),
  works(4, "edit replaces a string that is unique, or all of them"),
  works(5, "patch applies a unified diff"),
  works(6, "bash runs a command; another exit code and a signal are failures that are named"),
  works(7, "grep finds lines by pattern, glob, context and -i, and says when lines were left out"),
  works(8, "glob finds files, and counts honestly when some were left out"),
  works(9, "ls lists types and sizes"),
  works(10, "web_fetch gives text, with a limit and a timeout"),
  works(
    11,
    "box runs an image, ubuntu-22.04 by default, and says which ran; its network is the hosts that were granted",
  ),
  works(12, "git status, log, branch, checkout, diff, stash and remote"),
  works(13, "the examples of worktree, with the key command twice: list, create and remove"),
  works(14, "a work tree without a path goes to .worktrees/NAME, which git and searches leave out"),
  works(15, "a work tree outside is asked for like any write outside, listed rightly, and removed"),
  decided(16, "git is installed from official builds where it is missing", note),
  works(17, "web_search asks several engines, Google and Baidu among them"),
  works(18, "web_search: format json stays JSON when an engine fails, format text has line breaks"),
  works(19, "wrong arguments are answered in A3S's own shape and names"),
  {
    ...{ id: "004-20", statement: "on Windows bash is PowerShell with a shim" },
    ...{ state: "works", test: "packages/tools/src/shell/shared/powershell/powershell-argv.test.ts" },
  },
  {
    ...{ id: "004-21", statement: "the tools are there in every agent session", state: "works" },
    test: "packages/haft/test/agent-providers.test.ts",
    title: "an agent in a3s is offered every tool of that system",
  },
]
