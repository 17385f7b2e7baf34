import { execFileSync } from "node:child_process"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { type GitBench, openGitBench } from "../../../test/git-bench.js"
import { git } from "./index.js"

let bench: GitBench
afterEach(() => bench?.close())

const run = (input: unknown, options?: Parameters<GitBench["run"]>[2]) => bench.run(git, input, options)

test("a call is judged as a read, or as a write of what it changes", () => {
  const kinds = (input: object) => git.manifest.effects(git.manifest.input.parse(input)).map(({ kind }) => kind)
  for (const command of ["status", "log", "diff", "remote", "branch", "stash", "worktree"])
    expect(kinds({ command }), command).toEqual(["fs.read"])
  expect(kinds({ command: "checkout", ref: "x" })).toContain("fs.write")
  expect(kinds({ command: "branch", name: "x" })).toContain("fs.write")
  expect(kinds({ command: "stash", include_untracked: true })).toContain("fs.write")
  expect(kinds({ command: "worktree", subcommand: "create", name: "x" })).toContain("fs.write")
  expect(kinds({ command: "worktree", subcommand: "remove", path: "x" })).toContain("fs.delete")
})

test("reads run in the sandbox `read-only`, without locks; changes behind `workspace-write`", async () => {
  bench = await openGitBench({ "a.txt": "one\n" })
  await run({ command: "status" })
  await run({ command: "diff" })
  expect(bench.requests.every(({ profile }) => profile === "read-only")).toBe(true)
  expect(bench.requests.every(({ environment }) => environment?.GIT_OPTIONAL_LOCKS === "0")).toBe(true)
  await run({ command: "branch", name: "x" })
  expect(bench.requests.at(-1)!.profile).toBe("workspace-write")
})

test("git missing: the refusal has the install command of this platform", async () => {
  bench = await openGitBench({ "a.txt": "" })
  const find = async (program: string) => (program === "dnf" ? "/usr/bin/dnf" : undefined)
  const error = await failure(run({ command: "status" }, { commands: { find } }))
  expect(error.code).toBe("not_configured")
  expect(error.fix).toContain("sudo dnf install git")
  expect(error.fix).toContain("haft doctor --install git")
})

test("git missing: where the user lets Haft install it, that one runs", async () => {
  bench = await openGitBench({ "a.txt": "" })
  const installed = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()
  const commands = { find: async () => undefined, obtain: async () => installed }
  await run({ command: "status" }, { commands })
  expect(bench.requests.every(({ argv }) => argv[0] === installed)).toBe(true)
})

test("an argument that the command does not take is refused instead of left aside", async () => {
  bench = await openGitBench({ "a.txt": "" })
  const error = await failure(run({ command: "checkout", ref: "main", path: "a.txt" }))
  expect(error).toMatchObject({ code: "invalid_args", hint: '"checkout" takes "ref", "force"' })
})

const flags = ["--force", "-f", "--exec=id", "-", "--", "--output=x", "--upload-pack=id", "a\nb", "a\0b"]
test.each(flags)("the value %j never becomes a flag", async (value) => {
  bench = await openGitBench({ "a.txt": "one\n" })
  const inputs = [
    { command: "checkout", ref: value },
    { command: "log", ref: value },
    { command: "diff", target: value },
    { command: "diff", ref: value },
    { command: "diff", target: `HEAD..${value}` },
    { command: "diff", target: `${value}..HEAD` },
    { command: "branch", name: value },
    { command: "branch", name: "x", base: value },
    { command: "worktree", subcommand: "create", name: value, path: "t" },
    { command: "worktree", subcommand: "create", name: "x", path: "t", base: value },
    { command: "worktree", subcommand: "create", name: value, path: "t", new_branch: false },
  ]
  for (const input of inputs)
    expect((await failure(run(input))).code, JSON.stringify(input)).toMatch(/^(invalid_args|not_found)$/)
  for (const command of ["log", "diff"]) {
    const done = run({ command, path: value })
    if (!value.includes("\0")) expect((await done).data.command).toBe(command)
    else expect((await failure(done)).code).toBe("invalid_args")
  }
  expect(bench.git("status", "--porcelain")).toBe("")
})
