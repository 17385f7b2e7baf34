import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../../test/failure.js"
import { type GitBench, openGitBench } from "../../../../test/git-bench.js"
import { git, manifest } from "../index.js"

let bench: GitBench
afterEach(() => bench?.close())

const run = (input: unknown) => bench.run(git, input)

const head = () => bench.git("rev-parse", "HEAD").trim()

test("one is created on a new branch, listed, worked in, and removed", async () => {
  bench = await openGitBench({ "a.txt": "one\n" })
  const { data } = await run({ command: "worktree", subcommand: "create", name: "side", path: "trees/side" })
  expect(data).toMatchObject({ created: true, path: "trees/side", branch: "side", commit: head() })
  expect(await bench.workspace.readText("trees/side/a.txt")).toBe("one\n")
  const { worktrees } = (await run({ command: "worktree" })).data
  expect(worktrees).toEqual([
    { path: bench.workspace.path, commit: head(), branch: "main" },
    { path: join(bench.workspace.path, "trees/side"), commit: head(), branch: "side" },
  ])
  await bench.workspace.write({ "trees/side/new.txt": "" })
  const refused = await failure(run({ command: "worktree", subcommand: "remove", path: "trees/side" }))
  expect(refused).toMatchObject({ code: "conflict" })
  await run({ command: "worktree", subcommand: "remove", path: "trees/side", force: true })
  expect(await bench.workspace.readText("trees/side/a.txt")).toBe(null)
  expect((await run({ command: "branch" })).data.branches).toHaveLength(2)
})

test("one is created on a branch that exists, at a base, and not over something", async () => {
  bench = await openGitBench({ "a.txt": "one\n" })
  bench.git("branch", "old")
  const create = { command: "worktree", subcommand: "create" }
  await run({ ...create, name: "old", path: "old-tree", new_branch: false })
  expect((await failure(run({ ...create, name: "x", path: "old-tree" }))).code).toBe("conflict")
  expect((await failure(run({ ...create, name: "x", path: "x", base: "nowhere" }))).code).toBe("not_found")
  expect((await failure(run({ ...create, path: "x" }))).code).toBe("invalid_args")
  await run({ ...create, name: "y", path: "y", base: "old" })
})

test("what is missing is named, with an example", async () => {
  bench = await openGitBench({ "a.txt": "one\n" })
  for (const [subcommand, missing] of [
    ["create", "name"],
    ["remove", "path"],
  ]) {
    const { code, message, hint } = await failure(run({ command: "worktree", subcommand }))
    expect(code).toBe("invalid_args")
    expect(message).toContain(`the argument "${missing}" is missing`)
    expect(hint).toContain(`"subcommand":"${subcommand}"`)
  }
  const effects = manifest.effects?.({ command: "worktree", subcommand: "create" } as never)
  expect(effects).toEqual([{ kind: "fs.read", path: "." }])
})

test("without a path it goes to a folder that git leaves out", async () => {
  bench = await openGitBench({ "a.txt": "one\n" })
  const create = { command: "worktree", subcommand: "create" }
  expect((await run({ ...create, name: "feature/x" })).data).toMatchObject({ path: ".worktrees/feature-x" })
  await run({ ...create, name: "y" })
  expect(await bench.workspace.readText(".worktrees/feature-x/a.txt")).toBe("one\n")
  const excluded = (await bench.workspace.readText(".git/info/exclude"))!.split("\n")
  expect(excluded.filter((line) => line === "/.worktrees/")).toHaveLength(1)
  expect(bench.git("status", "--porcelain")).toBe("")
})

test("the main work tree and a foreign folder are not removed", async () => {
  bench = await openGitBench({ "a.txt": "one\n", "folder/b.txt": "" })
  for (const path of [".", "folder"])
    expect((await failure(run({ command: "worktree", subcommand: "remove", path }))).code).toBe("not_found")
})
