import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { type GitBench, openGitBench } from "../../../test/git-bench.js"
import { git } from "./index.js"

let bench: GitBench
afterEach(() => bench?.close())

const run = (input: unknown, options?: Parameters<GitBench["run"]>[2]) => bench.run(git, input, options)
const head = () => bench.git("rev-parse", "HEAD").trim()

describe("status", () => {
  test("names branch, commit and every changed or new file", async () => {
    bench = await openGitBench({ "a.txt": "one\n", "b.txt": "b\n", "c d.txt": "c\n" })
    await bench.workspace.write({ "a.txt": "two\n", "new file.txt": "" })
    bench.git("mv", "c d.txt", "e.txt")
    bench.git("rm", "--quiet", "b.txt")
    const { data, text } = await run({ command: "status" })
    expect(data).toMatchObject({ branch: "main", commit: head(), is_worktree: false, is_dirty: true, dirty_count: 4 })
    expect(data.entries).toEqual([
      { path: "a.txt", state: " M" },
      { path: "b.txt", state: "D " },
      { path: "e.txt", state: "R ", from: "c d.txt" },
      { path: "new file.txt", state: "??" },
    ])
    expect(text).toContain("On branch main\n M a.txt\nD  b.txt\nR  c d.txt -> e.txt\n?? new file.txt")
  })

  test("a clean tree with HEAD at no branch", async () => {
    bench = await openGitBench({ "src/a.txt": "one\n" })
    bench.git("checkout", "--quiet", "--detach")
    const { data, text } = await run({ command: "status" })
    expect(data).toMatchObject({ branch: null, is_dirty: false, dirty_count: 0, entries: [] })
    expect(text).toContain("Nothing to commit")
  })

  test("in a folder below the top, paths are those that other tools of the session take", async () => {
    bench = await openGitBench({ "src/a.txt": "one\n", "b.txt": "b\n" }, { directory: "src" })
    await bench.workspace.write({ "src/a.txt": "two\n", "b.txt": "c\n", "src/new/x": "" })
    const { data } = await run({ command: "status" })
    const outside = join(bench.workspace.path, "b.txt")
    expect(data.entries.map(({ path }: { path: string }) => path)).toEqual([outside, "a.txt", "new/"])
    expect((await run({ command: "diff" })).data.paths).toEqual([outside, "a.txt"])
    expect((await run({ command: "diff", path: "a.txt" })).data.paths).toEqual(["a.txt"])
  })

  test("a conflict, and a name with a line break, are shown on one line each", async () => {
    bench = await openGitBench({ "a.txt": "one\n" })
    bench.git("checkout", "--quiet", "-b", "other")
    await bench.workspace.write({ "a.txt": "other\n" })
    bench.git("commit", "--quiet", "--all", "--message=other")
    bench.git("checkout", "--quiet", "main")
    await bench.workspace.write({ "a.txt": "main\n", "line\nbreak": "" })
    bench.git("commit", "--quiet", "--all", "--message=main")
    expect(() => bench.git("merge", "other")).toThrow()
    const { data, text } = await run({ command: "status" })
    expect(data.entries).toEqual([
      { path: "a.txt", state: "UU" },
      { path: "line\nbreak", state: "??" },
    ])
    expect(text).toContain("?? line\\u000abreak")
  })

  test("a file that rules deny is counted and not named", async () => {
    bench = await openGitBench({ ".env": "KEY=1\n", "a.txt": "one\n" })
    await bench.workspace.write({ ".env": "KEY=2\n", "a.txt": "two\n" })
    const { data, text } = await run({ command: "status" }, { commands: { denies: denyEnv } })
    expect(data).toMatchObject({ dirty_count: 1, denied: 1 })
    expect(text).not.toContain(".env")
    expect(text).toContain("1 file left out by rules")
  })

  test("no repository, and one above the workspace, are not found", async () => {
    bench = await openGitBench({ "a.txt": "" }, { repository: false })
    expect((await failure(run({ command: "status" }))).code).toBe("not_found")
  })
})

describe("log", () => {
  test("rows from the newest, up to max_count, from a ref and for a path", async () => {
    bench = await openGitBench({ "a.txt": "one\n" })
    await bench.workspace.write({ "b.txt": "b\n" })
    bench.git("add", "--all")
    bench.git("commit", "--quiet", "--message=second: a\u001fb")
    const { data, text } = await run({ command: "log" })
    expect(data.commits.map(({ message }: { message: string }) => message)).toEqual(["second: a\u001fb", "first"])
    expect(data.commits[0]).toMatchObject({ commit: head(), author: "Test" })
    expect(text).toMatch(/^[0-9a-f]{7,} \d{4}-\d\d-\d\d Test: second: a\\u001fb\n/)
    expect((await run({ command: "log", max_count: 1 })).data.commits).toHaveLength(1)
    expect((await run({ command: "log", ref: "HEAD~1" })).data.commits).toHaveLength(1)
    expect((await run({ command: "log", path: "a.txt" })).data.commits).toHaveLength(1)
    expect((await run({ command: "log", path: "*.txt" })).data.commits).toHaveLength(0)
  })

  test("people are told the parents of each commit, for the lines between them", async () => {
    bench = await openGitBench({ "a.txt": "one\n" })
    bench.git("checkout", "--quiet", "-b", "side")
    bench.git("commit", "--quiet", "--allow-empty", "--message=side")
    bench.git("checkout", "--quiet", "main")
    bench.git("commit", "--quiet", "--allow-empty", "--message=main")
    bench.git("merge", "--quiet", "--no-ff", "--message=merged", "side")
    const { data, state } = await run({ command: "log" })
    const { parents } = state() as { parents: string[][] }
    const known = data.commits.map(({ commit }: { commit: string }) => commit)
    expect(parents.map(({ length }) => length)).toEqual([2, 1, 1, 0])
    expect(known).toEqual(expect.arrayContaining(parents.flat()))
  })

  test("an unknown ref names near ones", async () => {
    bench = await openGitBench({ "a.txt": "" })
    const error = await failure(run({ command: "log", ref: "mian" }))
    expect(error).toMatchObject({ code: "not_found", hint: 'Did you mean "main"?' })
  })
})

describe("branch and checkout", () => {
  test("a branch is created at a base, listed, and switched to", async () => {
    bench = await openGitBench({ "a.txt": "one\n" })
    expect((await run({ command: "branch", name: "feature/x" })).data).toMatchObject({ created: true, commit: head() })
    const { data, text } = await run({ command: "branch" })
    expect(data.branches).toEqual([
      { name: "feature/x", commit: head(), current: false },
      { name: "main", commit: head(), current: true },
    ])
    expect(text).toContain(`* main ${head().slice(0, 9)}`)
    expect((await run({ command: "checkout", ref: "feature/x" })).data).toMatchObject({ branch: "feature/x" })
    expect(bench.git("branch", "--show-current").trim()).toBe("feature/x")
    expect((await run({ command: "checkout", ref: head() })).data).toMatchObject({ branch: null, commit: head() })
  })

  test("a checkout that would lose changes is refused with the way out; force loses them", async () => {
    bench = await openGitBench({ "a.txt": "one\n" })
    bench.git("branch", "old")
    await bench.workspace.write({ "a.txt": "two\n" })
    bench.git("commit", "--quiet", "--all", "--message=second")
    await bench.workspace.write({ "a.txt": "three\n" })
    const error = await failure(run({ command: "checkout", ref: "old" }))
    expect(error.code).toBe("backend")
    expect(error.hint).toContain("stash")
    await run({ command: "checkout", ref: "old", force: true })
    expect(await bench.workspace.readText("a.txt")).toBe("one\n")
  })

  test("a branch that exists is not moved, and a branch of a remote is not noted in the settings", async () => {
    bench = await openGitBench({ "a.txt": "" })
    bench.git("update-ref", "refs/remotes/origin/theirs", "HEAD")
    expect((await failure(run({ command: "branch", name: "main" }))).message).toContain("already exists")
    const before = await bench.workspace.readText(".git/config")
    await run({ command: "branch", name: "theirs", base: "origin/theirs" })
    expect(await bench.workspace.readText(".git/config")).toBe(before)
  })
})

describe("diff", () => {
  test("the work tree against HEAD, staged or not; a commit; a range; one path", async () => {
    bench = await openGitBench({ "a.txt": "one\n", "b.txt": "b\n" })
    await bench.workspace.write({ "a.txt": "two\n", "b.txt": "c\n" })
    bench.git("add", "b.txt")
    const whole = await run({ command: "diff" })
    expect(whole.data.paths).toEqual(["a.txt", "b.txt"])
    expect(whole.data.text).toContain("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n")
    expect((await run({ command: "diff", path: "b.txt" })).data.paths).toEqual(["b.txt"])
    bench.git("commit", "--quiet", "--all", "--message=second")
    expect((await run({ command: "diff" })).data).toMatchObject({ text: "No differences", paths: [] })
    for (const input of [{ target: "HEAD~1" }, { target: "HEAD~1..HEAD" }, { target: "HEAD~1...HEAD" }])
      expect((await run({ command: "diff", ...input })).data.paths, JSON.stringify(input)).toEqual(["a.txt", "b.txt"])
    expect((await run({ command: "diff", target: "HEAD~1", ref: "HEAD" })).data.paths).toHaveLength(2)
  })

  test("content of files that rules deny is left out, also of those that are gone, and that is said", async () => {
    bench = await openGitBench({ ".env": "KEY=old\n", "sub/.env": "KEY=sub\n", "a.txt": "one\n" })
    bench.git("rm", "--quiet", "--cached", ".env")
    await bench.workspace.write({ "a.txt": "two\n", "sub/.env": "KEY=new\n" })
    bench.git("mv", "sub/.env", "sub/open.txt")
    const { data, text } = await run({ command: "diff" }, { commands: { denies: denyEnv } })
    expect(data).toMatchObject({ paths: ["a.txt", "sub/open.txt"], denied: 2 })
    expect(text).not.toContain("KEY=old")
    expect(text).not.toContain("KEY=sub")
    expect(text).toContain("2 files left out by rules")
  })

  test("a denied file in a folder whose name is no text is left out too", async () => {
    bench = await openGitBench({ "a.txt": "one\n" })
    const folder = Buffer.concat([Buffer.from(`${bench.workspace.path}/caf`), Buffer.from([0xe9])])
    await mkdir(folder)
    await writeFile(Buffer.concat([folder, Buffer.from("/.env")]), "KEY=1\n")
    bench.git("add", "--all")
    const { data, text } = await run({ command: "diff" }, { commands: { denies: denyEnv } })
    expect(data.denied).toBe(1)
    expect(text).not.toContain("KEY=1")
  })

  test("a single file by its id cannot be shown past the rules", async () => {
    bench = await openGitBench({ ".env": "KEY=1\n" })
    for (const target of ["HEAD:.env", ":.env", ":0:.env"]) {
      const error = await failure(run({ command: "diff", target, ref: "HEAD" }, { commands: { denies: denyEnv } }))
      expect(error.code, target).toBe("not_found")
    }
  })

  test("before the first commit it shows what is staged", async () => {
    bench = await openGitBench({ "a.txt": "one\n" }, { repository: false })
    bench.git("init", "--quiet", "--initial-branch=main")
    bench.git("add", "--all")
    expect((await run({ command: "diff" })).data.paths).toEqual(["a.txt"])
  })
})

describe("stash", () => {
  test("changes are put aside with a message, listed, and new files only on request", async () => {
    bench = await openGitBench({ "a.txt": "one\n" })
    await bench.workspace.write({ "a.txt": "two\n", "new.txt": "n\n" })
    expect((await run({ command: "stash" })).data).toMatchObject({ stashes: [], text: "No stashes" })
    const { data } = await run({ command: "stash", message: "--quiet" })
    expect(data).toMatchObject({ created: true })
    expect(await bench.workspace.readText("a.txt")).toBe("one\n")
    expect(await bench.workspace.readText("new.txt")).toBe("n\n")
    expect((await run({ command: "stash", message: "again" })).data.created).toBe(false)
    await run({ command: "stash", include_untracked: true })
    expect(await bench.workspace.readText("new.txt")).toBe(null)
    const { stashes } = (await run({ command: "stash" })).data
    expect(stashes).toHaveLength(2)
    expect(stashes[1]).toMatchObject({ name: "stash@{1}", message: "On main: --quiet" })
  })

  test("a repository inside this one stays where it is, tracked or not", async () => {
    bench = await openGitBench({ "a.txt": "one\n", "in/x.txt": "x\n" }, { repository: false })
    const inner = (...args: readonly string[]) => bench.git("-C", join(bench.workspace.path, "in"), ...args)
    for (const each of [inner, bench.git]) {
      each("init", "--quiet")
      each("add", "--all")
      each("commit", "--quiet", "--message=first")
    }
    await bench.workspace.write({ "untracked/y.txt": "y\n" })
    bench.git("-C", join(bench.workspace.path, "untracked"), "init", "--quiet")
    await bench.workspace.write({ "a.txt": "two\n", "in/x.txt": "changed\n", "new/n.txt": "n\n" })
    const { data } = await run({ command: "stash", include_untracked: true })
    expect(data).toMatchObject({ created: true })
    expect(await bench.workspace.readText("a.txt")).toBe("one\n")
    expect(await bench.workspace.readText("new/n.txt")).toBe(null)
    expect(await bench.workspace.readText("in/x.txt")).toBe("changed\n")
    expect(await bench.workspace.readText("untracked/y.txt")).toBe("y\n")
  })

  test("files that rules deny stay where they are", async () => {
    bench = await openGitBench({ ".env": "KEY=1\n", "a.txt": "one\n" })
    await bench.workspace.write({ ".env": "KEY=2\n", "a.txt": "two\n", "sub/.env": "KEY=3\n" })
    const commands = { denies: denyEnv }
    const { data } = await run({ command: "stash", message: "m", include_untracked: true }, { commands })
    expect(data).toMatchObject({ created: true, denied: 2 })
    expect(await bench.workspace.readText(".env")).toBe("KEY=2\n")
    expect(await bench.workspace.readText("sub/.env")).toBe("KEY=3\n")
    expect(await bench.workspace.readText("a.txt")).toBe("one\n")
  })
})

test("remotes are shown without credentials, with the address for pushing where it differs", async () => {
  bench = await openGitBench({ "a.txt": "" })
  bench.git("remote", "add", "origin", "https://user:hunter2@example.org/a.git")
  bench.git("remote", "set-url", "--push", "origin", "ssh://git:hunter2@example.org/a.git")
  bench.git("remote", "add", "token", "https://hunter2@example.org/b.git?private_token=hunter2")
  const { data, text } = await run({ command: "remote" })
  expect(data.remotes).toEqual([
    { name: "origin", fetch: "https://example.org/a.git", push: "ssh://git@example.org/a.git" },
    { name: "token", fetch: "https://example.org/b.git", push: "https://example.org/b.git" },
  ])
  expect(JSON.stringify(data) + text).not.toContain("hunter2")
})

function denyEnv(_: string, path: string): boolean {
  return path.endsWith("/.env")
}
