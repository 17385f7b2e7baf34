import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { type GitBench, openGitBench } from "../../../test/git-bench.js"
import { git } from "./index.js"

let bench: GitBench
afterEach(() => bench?.close())

const failureOf = (input: unknown) => failure(bench.run(git, input))

test("an argument that a command does not take is refused with all that it takes", async () => {
  bench = await openGitBench({ "a.txt": "one\n" })
  const { message, hint } = await failureOf({ command: "stash", subcommand: "list" })
  expect([message, hint]).toEqual([
    'Cannot use "subcommand" with "stash": that command does not take it',
    '"stash" takes "message", "include_untracked"',
  ])
})

test("a path outside is named as it was given, with the next step", async () => {
  bench = await openGitBench({ "a.txt": "one\n" })
  for (const command of ["log", "diff"]) {
    const { message, hint } = await failureOf({ command, path: "../x" })
    expect(message).toContain("'../x' is outside repository")
    expect(message).not.toContain("(literal)")
    expect(hint).toBe("Name a path inside the repository")
  }
})

test("before the first commit there is nothing to branch from, and the message says so", async () => {
  bench = await openGitBench({}, { repository: false })
  bench.git("init", "--quiet", "--initial-branch=main")
  const { message } = await failureOf({ command: "branch", name: "b" })
  expect(message).toBe('Cannot use "HEAD" as base: there is no commit yet; make the first one')
})

test("a name that no branch can have is refused with those that it can", async () => {
  bench = await openGitBench({ "a.txt": "one\n" })
  const { message, hint } = await failureOf({ command: "branch", name: "a..b" })
  expect([message, hint]).toEqual([
    expect.stringContaining("'a..b' is not a valid branch name"),
    expect.stringContaining("letters"),
  ])
})
