import { expect, test } from "vitest"
import { analyzeBash } from "./analyze-bash.js"
import { repositoryRecords } from "./sandbox-for.js"

const files: Readonly<Record<string, string>> = {
  "/w/.git/HEAD": "ref: refs/heads/main\n",
  "/w/inner/.git/HEAD": "ref: refs/heads/main\n",
  "/w/tree/.git": "gitdir: /w/.git/worktrees/tree\n",
  "/w/module/.git": "gitdir: ../.git/modules/module\n",
}

const recordsOf = (line: string, directory = "/w") =>
  repositoryRecords(analyzeBash(line, { directory, home: "/home/ann", roots: ["/w"] }), (path) => files[path])

test.each([
  "git add a",
  "git commit -m x",
  "git worktree add x",
  "git stash",
  "git branch new",
  "git tag v1",
  "git fetch",
  "git pull",
  "cd src && git commit -m x",
  "timeout 5 git commit -m x",
  "bash -c 'git commit -m x'",
])("the records of the repository are where %j leaves something", (line) => {
  expect(recordsOf(line)).toEqual(["/w/.git"])
})

test.each([
  "git status",
  "git log",
  "git branch -a",
  "git worktree list",
  "git unknown",
  "git -c alias.x='!touch .git/x' status",
  "git ls-remote",
  "python3 commit.py",
  "touch .git/x",
])("%j is not expected to leave anything there", (line) => {
  expect(recordsOf(line)).toEqual([])
})

test("the nearest repository counts, and a further work tree belongs to the one that it was made from", () => {
  expect(recordsOf("git -C inner/src commit -m x")).toEqual(["/w/inner/.git"])
  expect(recordsOf("cd tree && git commit -m x")).toEqual(["/w/.git"])
  expect(recordsOf("cd module && git commit -m x")).toEqual(["/w/.git/modules/module"])
  expect(recordsOf("git commit -m x", "/elsewhere/new")).toEqual(["/elsewhere/new/.git"])
})
