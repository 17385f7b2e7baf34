import { execFileSync, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { text as readText } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, expect, test } from "vitest"
import { gitArchive } from "./install-git.js"
import { createGitInstaller, gitBuild } from "./install-missing-git.js"

const runner = fileURLToPath(new URL("../../../../scripts/run-ts.mjs", import.meta.url))
const program = fileURLToPath(new URL("./testing/install-git-here.ts", import.meta.url))

let folder: string
let server: Server
let build: Buffer
let downloads: number
/** Holds the mirror's answer back until it is called. */
let answer: Promise<void>

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-missing-")))
  mkdirSync(join(folder, "bin"))
  copyFileSync(execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim(), join(folder, "bin/git"))
  build = execFileSync("tar", ["-cz", "bin"], { cwd: folder, maxBuffer: 1e9 })
  downloads = 0
  answer = Promise.resolve()
  server = createServer(async (request, response) => {
    downloads += 1
    await answer
    response.writeHead(request.url === `/mirror/${gitArchive()}` ? 200 : 404).end(build)
  })
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const target = () => join(folder, "home", ".local", "git")
const said: string[] = []
const installerSettings = () => ({
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mirror`,
  sha256: createHash("sha256").update(build).digest("hex"),
  target: target(),
})
const installer = (more: object = {}) =>
  createGitInstaller({
    ...installerSettings(),
    onProgress: (text) => said.push(text),
    ...more,
  })
const calm = () => new AbortController().signal

test("calls that need git at the same time wait for one install, which is said", async () => {
  said.length = 0
  const install = installer()
  const paths = await Promise.all([install(calm()), install(calm()), install(calm())])
  expect(new Set(paths)).toEqual(new Set([join(target(), "bin/git")]))
  expect(downloads).toBe(1)
  expect(said).toEqual([
    `git is missing: installing the configured build to ${target()}`,
    expect.stringMatching(/^installed git \d+\.\d+/),
  ])
})

test("what another process installed meanwhile is taken", async () => {
  await installer()(calm())
  expect(await installer({ sha256: "0".repeat(64) })(calm())).toBe(join(target(), "bin/git"))
  expect(downloads).toBe(1)
})

test("a wrong hash is refused, nothing is left, and it is not downloaded again for the next call", async () => {
  const install = installer({ sha256: "0".repeat(64) })
  for (const signal of [calm(), calm()]) {
    await expect(install(signal)).rejects.toMatchObject({
      code: "not_configured",
      message: expect.stringContaining("its SHA-256 is"),
      fix: expect.stringContaining("Get the right hash"),
    })
  }
  expect(downloads).toBe(1)
  expect(existsSync(target())).toBe(false)
})

test("a mirror that is gone and a configuration that names no build say what to do", async () => {
  await expect(installer({ baseUrl: "http://127.0.0.1:1" })(calm())).rejects.toMatchObject({
    code: "not_configured",
    fix: expect.stringContaining("git.baseUrl"),
  })
  await expect(installer({ sha256: undefined })(calm())).rejects.toMatchObject({
    code: "not_configured",
    fix: expect.stringContaining("haft config set git.sha256 "),
  })
  expect(existsSync(target())).toBe(false)
})

test("a call that gives up is cancelled, and another one that waits installs it all the same", async () => {
  let release: (() => void) | undefined
  answer = new Promise((resolve) => {
    release = resolve
  })
  const install = installer()
  const first = new AbortController()
  const [given, kept] = [install(first.signal), install(calm())]
  first.abort()
  await expect(given).rejects.toMatchObject({ code: "cancelled" })
  release?.()
  expect(await kept).toBe(join(target(), "bin/git"))
})

/** A process of its own that needs git; `line` is its first word about it, `path` what it got. */
function otherProcess() {
  const settings = [installerSettings().baseUrl, installerSettings().sha256, target()]
  const child = spawn(process.execPath, [runner, program, ...settings], { stdio: ["ignore", "pipe", "pipe"] })
  return { child, line: once(child.stderr, "data"), path: readText(child.stdout).then((text) => text.trim()) }
}

test("of two processes that need git one downloads, and the other waits and takes what it installed", async () => {
  let release: (() => void) | undefined
  answer = new Promise((resolve) => {
    release = resolve
  })
  const [one, two] = [otherProcess(), otherProcess()]
  await Promise.all([one.line, two.line])
  release?.()
  expect(await Promise.all([one.path, two.path])).toEqual([join(target(), "bin/git"), join(target(), "bin/git")])
  expect(downloads).toBe(1)
  expect(readdirSync(dirname(target()))).toEqual(["git"])
})

test("a process that died while it installed keeps nobody from it", async () => {
  answer = new Promise(() => undefined)
  const dying = otherProcess()
  const died = once(dying.child, "exit")
  await once(server, "request")
  dying.child.kill("SIGKILL")
  await died
  expect(existsSync(target())).toBe(false)
  answer = Promise.resolve()
  expect(await installer()(calm())).toBe(join(target(), "bin/git"))
  expect(downloads).toBe(2)
})

test("a call that waits for another process can give up", async () => {
  answer = new Promise(() => undefined)
  const busy = otherProcess()
  const ended = once(busy.child, "exit")
  await once(server, "request")
  const waiting = new AbortController()
  const given = installer()(waiting.signal)
  waiting.abort()
  await expect(given).rejects.toMatchObject({ code: "cancelled" })
  expect(downloads).toBe(1)
  busy.child.kill("SIGKILL")
  await ended
})

const dugite = "https://github.com/desktop/dugite-native/releases/download/v2.53.0-4"

test.each([
  [
    "linux-x64",
    "GitHub Desktop (dugite-native v2.53.0-4)",
    "cca76aa31ad9e835e771ee7f55b73934777fbd8d16757a10d307ba06de860901",
  ],
  [
    "darwin-arm64",
    "GitHub Desktop (dugite-native v2.53.0-4)",
    "f9dc64635a5b62fbd7ad95db73268bbb8912255ac516d65d37bf7af22fcb8ffe",
  ],
  ["win32-x64", "Git for Windows (MinGit)", "11e8f462726827acccc7ecdad541f2544cbe5506d70fef4fa1ffac7c16288709"],
])(
  "%s: nothing is taken before the user confirms the build, which is named with its builder",
  (platform, builder, sha256) => {
    for (const half of [{}, { baseUrl: dugite }, { sha256 }]) {
      let fix = ""
      try {
        gitBuild(half, platform)
      } catch (error) {
        fix = String((error as { fix?: string }).fix)
      }
      expect(fix).toContain(`built by ${builder}`)
      expect(fix).toContain(sha256)
    }
  },
)

test("a known build has its own file name, another address has ours", () => {
  const sha256 = "a".repeat(64)
  expect(gitBuild({ baseUrl: `${dugite}/`, sha256 }, "linux-arm64")).toEqual({
    ...{ baseUrl: `${dugite}/`, sha256, archive: "dugite-native-v2.53.0-4098283-ubuntu-arm64.tar.gz" },
  })
  expect(gitBuild({ baseUrl: "https://mirror.example/git", sha256 }, "linux-x64")).toEqual({
    ...{ baseUrl: "https://mirror.example/git", sha256 },
  })
  expect(() => gitBuild({}, "freebsd-x64")).toThrow("does not say which build to take")
})
