import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as fc from "fast-check"
import { afterEach, describe, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { type GitBench, openGitBench } from "../../../test/git-bench.js"
import { repoClone } from "./index.js"
import { defaultPath, parseSource } from "./source.js"

let bench: GitBench
let server: Server | undefined
afterEach(async () => {
  await bench?.close()
  await new Promise((done) => (server ? server.close(done) : done(undefined)))
  server = undefined
})

const clone = (input: unknown) => bench.run(repoClone, input)

/** A repository below the workspace, made by a user. */
function makeOrigin(folder: string): string {
  const path = join(bench.workspace.path, folder)
  mkdirSync(path, { recursive: true })
  bench.git("-C", path, "init", "--quiet", "--initial-branch=main")
  writeFileSync(join(path, "a.txt"), "one\n")
  bench.git("-C", path, "add", "--all")
  bench.git("-C", path, "commit", "--quiet", "--message=first")
  bench.git("-C", path, "update-server-info")
  return bench.git("-C", path, "rev-parse", "HEAD").trim()
}

/** Serves the files of the workspace; a request for `/moved/` is sent elsewhere. */
async function serve(): Promise<string> {
  const created = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname
    if (path.startsWith("/moved/")) return void response.writeHead(301, { location: `/${path.slice(7)}` }).end()
    const file = join(bench.workspace.path, path)
    const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
    response.writeHead(isFile ? 200 : 404).end(isFile ? readFileSync(file) : undefined)
  })
  server = created
  await new Promise<void>((done) => void created.listen(0, "127.0.0.1", done))
  return `http://127.0.0.1:${(created.address() as AddressInfo).port}`
}

describe("repo_clone", () => {
  test("copies a folder of the workspace with its history, and names the commit", async () => {
    bench = await openGitBench({}, { repository: false })
    const commit = makeOrigin("origin #1 ä")
    const { data, text } = await clone({ url: "./origin #1 ä", path: "copy" })
    expect(data).toMatchObject({ path: "copy", commit, branch: "main" })
    expect(text).toContain(`Cloned into copy: commit ${commit.slice(0, 9)} of main`)
    expect(await bench.workspace.readText("copy/a.txt")).toBe("one\n")
  })

  test("copies from an http server, into the name of the repository by default", async () => {
    bench = await openGitBench({}, { repository: false })
    const commit = makeOrigin("origin")
    const address = await serve()
    const { data } = await clone({ url: `${address}/origin/.git`, path: "copy" })
    expect(data).toMatchObject({ path: "copy", commit })
    bench.git("clone", "--quiet", "--bare", "origin", "side.git")
    bench.git("-C", join(bench.workspace.path, "side.git"), "update-server-info")
    expect((await clone({ url: `${address}/side.git` })).data).toMatchObject({ path: "side", commit })
  })

  test("an address that leads elsewhere is not followed", async () => {
    bench = await openGitBench({}, { repository: false })
    makeOrigin("origin")
    const error = await failure(clone({ url: `${await serve()}/moved/origin/.git`, path: "copy" }))
    expect(error.code).toBe("backend")
    expect(error.hint).toContain("leads elsewhere")
    expect(readdirSync(bench.workspace.path)).toEqual(["origin"])
  })

  test("a missing repository, a place that is taken, and places outside the workspace are typed failures", async () => {
    bench = await openGitBench({ "taken/x": "" }, { repository: false })
    makeOrigin("origin")
    expect((await failure(clone({ url: "./nowhere", path: "copy" }))).code).toBe("not_found")
    expect((await failure(clone({ url: "./taken", path: "copy" }))).code).toBe("backend")
    expect((await failure(clone({ url: "./origin", path: "taken" }))).code).toBe("conflict")
    expect((await failure(clone({ url: "./origin", path: "../copy" }))).code).toBe("denied")
    expect((await failure(clone({ url: "file:///etc", path: "copy" }))).code).toBe("denied")
    expect(readdirSync(bench.workspace.path).sort()).toEqual(["origin", "taken"])
  })

  test("git missing is not_configured", async () => {
    bench = await openGitBench({ "x/a": "" }, { repository: false })
    const done = bench.run(repoClone, { url: "./x", path: "copy" }, { commands: { find: async () => undefined } })
    expect((await failure(done)).code).toBe("not_configured")
  })

  test("a hostile source runs nothing, neither there nor in the copy", async () => {
    bench = await openGitBench({}, { repository: false })
    const trap = realpathSync(mkdtempSync(join(tmpdir(), "haft-trap-")))
    try {
      const program = (name: string) => `touch ${trap}/${name}`
      makeOrigin("origin")
      const origin = join(bench.workspace.path, "origin")
      const run = (...args: readonly string[]) => bench.git("-C", origin, ...args)
      writeFileSync(join(origin, ".gitattributes"), "* filter=trap diff=trap\n")
      writeFileSync(
        join(origin, ".gitmodules"),
        `[submodule "s"]\n\tpath = s\n\turl = ext::${program("ext")}\n\tupdate = !x\n`,
      )
      run("add", "--all")
      run("update-index", "--add", "--cacheinfo", `160000,${run("rev-parse", "HEAD").trim()},s`)
      run("commit", "--quiet", "--message=second")
      for (const [key, value] of [
        ["uploadpack.packObjectsHook", program("pack-objects")],
        ["core.fsmonitor", program("fsmonitor")],
        ["filter.trap.smudge", program("smudge")],
        ["core.alternateRefsCommand", program("alternate-refs")],
        ["core.sshCommand", program("ssh")],
        ["remote.trap.url", bench.workspace.path],
        ["remote.trap.promisor", "true"],
        ["remote.trap.uploadpack", program("upload-pack")],
        ["core.repositoryFormatVersion", "1"],
        ["extensions.partialClone", "trap"],
        ["submodule.recurse", "true"],
      ] as const)
        run("config", key, value)
      for (const hook of ["post-checkout", "pre-receive", "post-upload-pack", "reference-transaction"]) {
        writeFileSync(join(origin, ".git/hooks", hook), `#!/bin/sh\n${program(hook)}\n`)
        chmodSync(join(origin, ".git/hooks", hook), 0o755)
      }
      await clone({ url: "./origin", path: "copy" })
      expect(await bench.workspace.readText("copy/a.txt")).toBe("one\n")
      const blob = run("rev-parse", "HEAD:a.txt").trim()
      rmSync(join(origin, ".git/objects", blob.slice(0, 2), blob.slice(2)))
      await failure(clone({ url: "./origin", path: "second" }))
      expect(readdirSync(trap)).toEqual([])
      expect(readdirSync(bench.workspace.path).sort()).toEqual(["copy", "origin"])
    } finally {
      rmSync(trap, { recursive: true, force: true })
    }
  })
})

describe("the address", () => {
  test.each([
    ["https://example.org/a.git", { kind: "web", scheme: "https", host: "example.org", port: 443 }],
    ["HTTP://EXAMPLE.org:8080/a", { kind: "web", scheme: "http", host: "example.org", port: 8080 }],
    ["https://0x7f.1/a", { kind: "web", host: "127.0.0.1" }],
    ["http://[::1]:80/a", { kind: "web", host: "[::1]", port: 80 }],
    ["file:///srv/a%20b", { kind: "folder", path: "/srv/a b" }],
    ["../a", { kind: "folder", path: "../a" }],
    ["/srv/a:b", { kind: "folder", path: "/srv/a:b" }],
    ["https://u:p@example.org/a", { kind: "refused", code: "invalid_args" }],
    ["https://example.org/a?b", { kind: "refused", code: "invalid_args" }],
    ["ext::sh -c id", { kind: "refused", code: "invalid_args" }],
    ["fd::17", { kind: "refused", code: "invalid_args" }],
    ["--upload-pack=id", { kind: "refused", code: "invalid_args" }],
    ["file://host/a", { kind: "refused", code: "invalid_args" }],
    ["ssh://git@example.org/a", { code: "unsupported", reason: expect.stringContaining("keys for ssh") }],
    ["git+ssh://example.org/a", { code: "unsupported", reason: expect.stringContaining("keys for ssh") }],
    ["git@example.org:a.git", { code: "unsupported", reason: expect.stringContaining("keys for ssh") }],
    ["host:a", { code: "unsupported", reason: expect.stringContaining("keys for ssh") }],
    ["git://example.org/a", { code: "unsupported", reason: expect.stringContaining("only http, https and file") }],
    ["ftp://example.org/a", { code: "unsupported", reason: expect.stringContaining("only http, https and file") }],
  ])("%j is understood", (url, source) => {
    expect(parseSource(url)).toMatchObject(source)
  })

  test("effects name the host and the place, whatever the address is", () => {
    const effects = (url: string) => repoClone.manifest.effects({ url })
    expect(effects("https://example.org/group/name.git")).toEqual([
      { kind: "net.fetch", host: "example.org", port: 443 },
      { kind: "fs.write", path: "./name" },
    ])
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (url) => {
        expect(effects(url)).toHaveLength(2)
        expect(defaultPath(url)).toMatch(/^(repository|\.\/[^/\\]+)$/s)
      }),
    )
  })
})
