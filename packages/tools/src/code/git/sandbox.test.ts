import { existsSync, readFileSync, statSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { backendsHere } from "../../../../host/src/sandbox/testing/installed.js"
import { failure } from "../../../test/failure.js"
import { type GitBench, openGitBench } from "../../../test/git-bench.js"
import { type SandboxedOptions, sandboxedCommands } from "../../../test/sandboxed-commands.js"
import { repoClone } from "../repo-clone/index.js"
import { git } from "./index.js"

let bench: GitBench
let sandboxed: Awaited<ReturnType<typeof sandboxedCommands>>
let server: Server | undefined
afterEach(async () => {
  await sandboxed?.close()
  await bench?.close()
  await new Promise((done) => (server ? server.close(done) : done(undefined)))
  server = undefined
})

const denyEnv = (_: string, path: string) => path.endsWith("/.env")

async function open(files: Record<string, string>, options: Omit<SandboxedOptions, "root"> = {}) {
  bench = await openGitBench(files)
  sandboxed = await sandboxedCommands({ root: bench.workspace.path, ...options })
  return (input: unknown, tool = git) => bench.run(tool as typeof git, input, { commands: sandboxed.commands })
}

describe.skipIf(!backendsHere.includes("bwrap"))("in the real sandbox", () => {
  test("every command works, and says what confined it", async () => {
    const run = await open({ "a.txt": "one\n", "sub/b.txt": "b\n", ".vscode/settings.json": "{}\n" })
    await bench.workspace.write({ "a.txt": "two\n", "new.txt": "" })
    const { data } = await run({ command: "status" })
    expect(data).toMatchObject({
      branch: "main",
      dirty_count: 2,
      isolation: { level: "namespaces", profile: "read-only" },
    })
    expect((await run({ command: "diff" })).data.paths).toEqual(["a.txt"])
    const stashed = await run({ command: "stash", message: "aside", include_untracked: true })
    expect(stashed.data).toMatchObject({ created: true })
    expect((await run({ command: "stash" })).data.stashes).toHaveLength(1)
    await run({ command: "branch", name: "side" })
    expect((await run({ command: "checkout", ref: "side" })).data).toMatchObject({
      ...{ branch: "side", isolation: { level: "namespaces", profile: "workspace-write" } },
    })
    expect((await run({ command: "log" })).data.commits).toHaveLength(1)
    expect((await run({ command: "remote" })).data.remotes).toEqual([])
    const path = "trees/other"
    await run({ command: "worktree", subcommand: "create", name: "other", path })
    expect(await bench.workspace.readText("trees/other/sub/b.txt")).toBe("b\n")
    expect((await run({ command: "worktree" })).data.worktrees).toHaveLength(2)
    expect(await bench.workspace.readText("trees/other/.vscode/settings.json")).toBe("{}\n")
    const { data: gone } = await run({ command: "worktree", subcommand: "remove", path })
    expect(gone).toMatchObject({ removed: true, path })
    expect((await run({ command: "worktree" })).data.worktrees).toHaveLength(1)
    expect(existsSync(join(bench.workspace.path, path, "a.txt"))).toBe(false)
    // The sandbox may hold names in the folder until the end; then the result says that they are still there.
    expect(existsSync(join(bench.workspace.path, path))).toBe(gone.text.includes("still in its folder"))
    expect(bench.git("status", "--porcelain", "--untracked-files=no")).toBe("")
  }, 60_000)

  test("a tracked file that rules deny is masked, and neither shown nor taken for changed nor put aside", async () => {
    const run = await open({ ".env": "KEY=1\n", "a.txt": "one\n" }, { denies: denyEnv })
    await bench.workspace.write({ ".env": "KEY=2\n", "a.txt": "two\n" })
    const status = await run({ command: "status" })
    expect(status.data).toMatchObject({ dirty_count: 1, denied: 1 })
    const diff = await run({ command: "diff" })
    expect(diff.data).toMatchObject({ paths: ["a.txt"], denied: 1 })
    expect(diff.text).not.toContain("KEY=")
    expect((await run({ command: "stash", message: "m" })).data).toMatchObject({ created: true, denied: 1 })
    expect(await bench.workspace.readText(".env")).toBe("KEY=2\n")
    expect(await bench.workspace.readText("a.txt")).toBe("one\n")
  }, 60_000)

  test("a call that was only given a look cannot change anything", async () => {
    const run = await open({ "a.txt": "one\n" }, { sandbox: { profile: "read-only" } })
    expect((await run({ command: "status" })).data.dirty_count).toBe(0)
    expect((await failure(run({ command: "branch", name: "x" }))).code).toBe("denied")
  }, 60_000)

  test("a clone reaches the server that was granted and nothing without a grant", async () => {
    bench = await openGitBench({ "a.txt": "one\n" })
    bench.git("update-server-info")
    const folder = join(bench.workspace.path, ".git")
    server = createServer((request, response) => {
      const file = join(folder, new URL(request.url ?? "/", "http://x").pathname.replace(/^\/origin\.git/, ""))
      const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
      response.writeHead(isFile ? 200 : 404).end(isFile ? readFileSync(file) : undefined)
    })
    await new Promise<void>((done) => void server!.listen(0, "127.0.0.1", done))
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const root = bench.workspace.path
    const clone = () => bench.run(repoClone, { url: `http://${host}/origin.git` }, { commands: sandboxed.commands })
    sandboxed = await sandboxedCommands({ root })
    expect((await failure(clone())).code).toBe("backend")
    await sandboxed.close()
    sandboxed = await sandboxedCommands({
      root,
      sandbox: { profile: "workspace-write+net", hosts: [host] },
      netGrants: [host],
    })
    const { data } = await clone()
    expect(data).toMatchObject({ path: "origin", branch: "main", isolation: { network: "proxy" } })
    expect(await bench.workspace.readText("origin/a.txt")).toBe("one\n")
  }, 60_000)

  test("a local clone works", async () => {
    bench = await openGitBench({ "a.txt": "one\n" })
    sandboxed = await sandboxedCommands({ root: bench.workspace.path })
    const { data } = await bench.run(repoClone, { url: ".", path: "copy" }, { commands: sandboxed.commands })
    expect(data).toMatchObject({ path: "copy", branch: "main" })
  }, 60_000)
})
