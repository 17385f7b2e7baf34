import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type GitBench, openGitBench } from "../../../test/git-bench.js"
import { setTrap, type Trap } from "../../../test/trap.js"
import { git } from "./index.js"

let bench: GitBench
let trap: Trap
beforeEach(() => {
  trap = setTrap()
})
afterEach(async () => {
  await bench?.close()
  trap.remove()
})

const sprung = () => trap.sprung()
const program = (name: string) => trap.program(name)

test("a folder that looks like a bare repository is not taken for one", async () => {
  const config = `[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfsmonitor = ${program("bare-fsmonitor")}\n\tworktree = ..\n`
  const files = {
    "bare/HEAD": "ref: refs/heads/main\n",
    "bare/config": config,
    "bare/refs/x": "",
    "bare/objects/x": "",
  }
  bench = await openGitBench(files, { directory: "bare" })
  for (const command of ["status", "log", "diff", "stash"]) {
    const { data } = await bench.run(git, { command })
    expect(data.command).toBe(command)
  }
  expect((await bench.run(git, { command: "status" })).data.branch).toBe("main")
  expect(sprung()).toEqual([])
})

test("settings that name another work tree, or none, do not lead out of the workspace", async () => {
  bench = await openGitBench({ "a.txt": "one\n" })
  const outside = join(trap.folder, "outside")
  mkdirSync(outside)
  writeFileSync(join(outside, "private.txt"), "private\n")
  bench.git("branch", "other")
  bench.git("config", "core.worktree", outside)
  bench.git("config", "core.bare", "true")
  const { data } = await bench.run(git, { command: "status" })
  expect(data).toMatchObject({ dirty_count: 0 })
  await bench.run(git, { command: "checkout", ref: "other", force: true })
  expect(readdirSync(outside)).toEqual(["private.txt"])
})

test("a repository whose folder or shared part is outside the workspace shows nothing of it", async () => {
  const other = join(trap.folder, "other")
  mkdirSync(other)
  bench = await openGitBench({ "a.txt": "one\n" }, { repository: false })
  bench.git("-C", other, "init", "--quiet")
  writeFileSync(join(other, "private.txt"), "private\n")
  bench.git("-C", other, "add", "--all")
  bench.git("-C", other, "commit", "--quiet", "--message=private")
  await bench.workspace.write({ ".git": `gitdir: ${other}/.git\n` })
  await expect(bench.run(git, { command: "diff" })).rejects.toMatchObject({ code: "not_configured" })
  rmSync(join(bench.workspace.path, ".git"))
  await bench.workspace.write({ ".git/HEAD": "ref: refs/heads/main\n", ".git/commondir": `${other}/.git\n` })
  await expect(bench.run(git, { command: "log" })).rejects.toMatchObject({ code: "not_configured" })
})

test("an object that is missing is not fetched from where the repository says", async () => {
  bench = await openGitBench({ "a.txt": "one\n" })
  await bench.workspace.write({ "a.txt": "two\n" })
  const blob = bench.git("rev-parse", "HEAD:a.txt").trim()
  const { git: run, workspace } = bench
  for (const [key, value] of [
    ["remote.trap.url", `ext::${program("ext")}`],
    ["remote.trap.promisor", "true"],
    ["remote.trap.partialCloneFilter", "blob:none"],
    ["remote.trap.uploadpack", program("upload-pack")],
    ["remote.trap.vcs", "ext"],
    ["core.repositoryFormatVersion", "1"],
    ["extensions.partialClone", "trap"],
    ["protocol.ext.allow", "always"],
    ["protocol.file.allow", "always"],
  ] as const)
    run("config", key, value)
  rmSync(join(workspace.path, ".git/objects", blob.slice(0, 2), blob.slice(2)))
  const plain = () => execFileSync("git", ["diff"], { cwd: workspace.path, stdio: "ignore" })
  for (const address of [`ext::${program("ext")}`, trap.folder]) {
    run("config", "remote.trap.url", address)
    for (const input of [{ command: "diff" }, { command: "status" }, { command: "checkout", ref: "HEAD", force: true }])
      await bench.run(git, input).catch(() => undefined)
    expect(sprung(), address).toEqual([])
  }
  run("config", "remote.trap.url", `ext::${program("ext")}`)
  expect(plain).toThrow()
  expect(sprung()).toEqual(["ext"])
})

test("more drivers than can be switched off are refused", async () => {
  bench = await openGitBench({ "a.txt": "one\n" })
  const many = Array.from({ length: 201 }, (_, index) => `[filter "f${index}"]\n\tclean = ${program("clean")}\n`)
  writeFileSync(join(bench.workspace.path, ".git/config"), many.join(""), { flag: "a" })
  await expect(bench.run(git, { command: "status" })).rejects.toMatchObject({ code: "unsupported" })
  expect(sprung()).toEqual([])
})
