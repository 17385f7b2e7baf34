import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { ToolError } from "@haft/contract"
import { afterEach, beforeEach, expect, test } from "vitest"
import { detectGit } from "./detect-git.js"
import { gitArchive, installGit } from "./install-git.js"
import { installedGitFolder } from "./installed-git-folder.js"

let folder: string
let server: Server
let baseUrl: string
let served: Buffer
let name: string

beforeEach(async () => {
  name = gitArchive()
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-install-")))
  server = createServer((request, response) => {
    const found = request.url === `/mirror/${name}`
    response.writeHead(found ? 200 : 404).end(found ? served : undefined)
  })
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mirror`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  rmSync(folder, { recursive: true, force: true })
})

const sha256 = () => createHash("sha256").update(served).digest("hex")
const home = () => join(folder, "home")
const target = () => installedGitFolder(home())
const install = (more: object = {}) => installGit({ baseUrl, sha256: sha256(), target: target(), ...more })
const left = () => (existsSync(join(home(), ".local")) ? readdirSync(join(home(), ".local")) : [])

/** A build as a mirror would have it: one folder with the git of this machine, links included. */
function build(version = "1"): Buffer {
  const place = join(folder, `build-${version}`)
  mkdirSync(join(place, "git-build/bin"), { recursive: true })
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()
  copyFileSync(git, join(place, "git-build/bin/git"))
  writeFileSync(join(place, "git-build/version"), version)
  mkdirSync(join(place, `git-build/${"long".repeat(30)}`))
  writeFileSync(join(place, `git-build/${"long".repeat(30)}/${"name".repeat(20)}`), "long")
  execFileSync("sh", ["-c", "ln -s git git-link && ln git git-hard"], { cwd: join(place, "git-build/bin") })
  return execFileSync("tar", ["-cz", "git-build"], { cwd: place, maxBuffer: 1e9 })
}

async function refused(running: Promise<unknown>): Promise<ToolError> {
  const error = await running.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(ToolError.is(error), String(error)).toBe(true)
  return error as ToolError
}

test("a build with the right hash is unpacked, runs, and is found", async () => {
  served = build()
  const installed = await install({ sha256: sha256().toUpperCase() })
  expect(installed.path).toBe(join(target(), "bin/git"))
  expect(installed.version).toMatch(/^\d+\.\d+/)
  expect(left()).toEqual(["git"])
  expect(readlinkSync(join(target(), "bin/git-link"))).toBe("git")
  expect(readFileSync(join(target(), "bin/git-hard")).equals(readFileSync(installed.path))).toBe(true)
  expect(readFileSync(join(target(), "long".repeat(30), "name".repeat(20)), "utf8")).toBe("long")
  const found = await detectGit({ path: "/nowhere", roots: [], home: home() })
  expect(found).toMatchObject({ state: "ready", path: installed.path, version: installed.version })
})

test("a wrong hash is refused and nothing is left", async () => {
  served = build()
  const error = await refused(install({ sha256: "0".repeat(64) }))
  expect(error.code).toBe("denied")
  expect(error.message).toContain(sha256())
  expect(left()).toEqual([])
  // Refused by its hash and not by its content: nothing is unpacked before it is known.
  served = Buffer.from("this is no archive")
  expect(await refused(install({ sha256: "0".repeat(64) }))).toMatchObject({ code: "denied" })
  expect((await refused(install({ sha256: sha256() }))).code).not.toBe("denied")
  expect(left()).toEqual([])
})

test("a second install replaces the first; one that fails leaves it", async () => {
  served = build("1")
  await install()
  served = build("2")
  await install()
  expect(readFileSync(join(target(), "version"), "utf8")).toBe("2")
  await refused(install({ sha256: "1".repeat(64) }))
  expect(readFileSync(join(target(), "version"), "utf8")).toBe("2")
  expect(left()).toEqual(["git"])
})

test.skipIf(process.platform === "win32")(
  "what a killed installer left is gone, and the git that it had put aside is back",
  async () => {
    served = build("1")
    await install()
    const workshop = `${target()}.0123456789ab`
    mkdirSync(join(workshop, "unpacked"), { recursive: true })
    renameSync(target(), join(workshop, "former"))
    mkdirSync(`${target()}.notes`)
    await refused(install({ sha256: "1".repeat(64) }))
    expect(readFileSync(join(target(), "version"), "utf8")).toBe("1")
    expect(left().sort()).toEqual(["git", "git.notes"])
    served = build("2")
    mkdirSync(workshop)
    renameSync(target(), join(workshop, "former"))
    await install()
    expect(readFileSync(join(target(), "version"), "utf8")).toBe("2")
    expect(left().sort()).toEqual(["git", "git.notes"])
  },
)

test("no server, a missing file, a hash that is none, and other addresses are typed failures", async () => {
  served = build()
  expect((await refused(install({ archive: "other.tar.gz" }))).code).toBe("unavailable")
  expect((await refused(install({ baseUrl: "http://127.0.0.1:1" }))).code).toBe("unavailable")
  expect((await refused(install({ sha256: "abc" }))).code).toBe("invalid_args")
  expect((await refused(install({ baseUrl: "file:///srv" }))).code).toBe("invalid_args")
  expect(left()).toEqual([])
})

test("an archive without git, a git that does not run, and damage leave nothing", async () => {
  served = tarOf([{ name: "readme", content: "x" }])
  expect((await refused(install())).message).toContain("no bin/git")
  served = tarOf([{ name: "bin/git", content: "#!/bin/sh\nexit 1\n", mode: 0o755 }])
  expect((await refused(install())).message).toContain("does not run")
  served = build().subarray(0, 100_000)
  expect((await refused(install())).code).toBe("backend")
  served = gzipSync(Buffer.alloc(2048, 7))
  expect((await refused(install())).message).toContain("damaged")
  expect(left()).toEqual([])
})

test.each([
  ["a name with .. in it", [{ name: "../../evil", content: "x" }]],
  ["an absolute name", [{ name: "/tmp/haft-evil", content: "x" }]],
  ["a link that leads out by ..", [{ name: "bin/up", type: "2", target: "../../evil" }]],
  ["an absolute link", [{ name: "up", type: "2", target: "/etc" }]],
  ["a hard link that leads out by ..", [{ name: "up", type: "1", target: "../../evil" }]],
  [
    "links that lead out together",
    [
      { name: "a/b/up", type: "2", target: "../.." },
      { name: "a/b/out", type: "2", target: "up/../.." },
    ],
  ],
  [
    "a file through a link",
    [
      { name: "up", type: "2", target: "." },
      { name: "up", content: "x" },
    ],
  ],
  ["a device", [{ name: "null", type: "3" }]],
])("%s is refused and nothing is written outside", async (_, entries) => {
  served = tarOf(entries)
  expect((await refused(install())).code).toBe("backend")
  expect(left()).toEqual([])
  expect(readdirSync(folder).filter((name) => name !== "home")).toEqual([])
  expect(existsSync("/tmp/haft-evil")).toBe(false)
})

test("a build for Windows is a .zip with cmd/git.exe, and is checked and unpacked like the others", async () => {
  served = zipOf([{ name: "cmd/git.exe", content: "#!/bin/sh\necho git version 2.48.1.windows.1\n", mode: 0o755 }])
  const archive = "MinGit-2.48.1-64-bit.zip"
  name = archive
  expect(await install({ archive })).toEqual({ path: join(target(), "cmd/git.exe"), version: "2.48.1.windows.1" })
  expect((await refused(install({ archive, sha256: "0".repeat(64) }))).code).toBe("denied")
})

test.each([
  ["a name with .. in it", [{ name: "../../evil", content: "x" }]],
  ["an absolute name", [{ name: "/tmp/haft-evil", content: "x" }]],
  ["a link", [{ name: "up", content: "/etc", mode: 0o120777 }]],
  [
    "the same file twice",
    [
      { name: "a", content: "x" },
      { name: "a", content: "y" },
    ],
  ],
])("a .zip with %s is refused and nothing is written outside", async (_, members) => {
  served = zipOf(members)
  expect((await refused(install())).code).toBe("backend")
  expect(left()).toEqual([])
  expect(readdirSync(folder).filter((each) => each !== "home")).toEqual([])
  expect(existsSync("/tmp/haft-evil")).toBe(false)
})

test("a .zip that is cut anywhere is refused and leaves nothing", async () => {
  const whole = zipOf([{ name: "cmd/git.exe", content: "x".repeat(500), mode: 0o755 }])
  for (let cut = 5; cut < whole.length; cut += 17) {
    served = whole.subarray(0, cut)
    expect((await refused(install())).code).toBe("backend")
  }
  expect(left()).toEqual([])
})

test("git missing: the fix of this machine", async () => {
  const found = await detectGit({ path: "/nowhere", roots: [], home: home() })
  expect(found).toMatchObject({ state: "missing", fix: "haft doctor --install git" })
})

interface Member {
  readonly name: string
  readonly content?: string
  readonly type?: string
  readonly target?: string
  readonly mode?: number
}

/** An archive as tar itself would not make it. */
function tarOf(members: readonly Member[]): Buffer {
  const blocks = members.flatMap(({ name, content = "", type = "0", target: linked = "", mode = 0o644 }) => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write(`${mode.toString(8).padStart(7, "0")}\0`, 100)
    header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124)
    header.write("        ", 148)
    header.write(type, 156)
    header.write(linked, 157)
    header.write("ustar\x0000", 257, "latin1")
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148)
    const body = Buffer.alloc(Math.ceil(content.length / 512) * 512)
    body.write(content)
    return [header, body]
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}

/** A .zip as Python makes it: names, modes and doubles as they are given. */
function zipOf(members: readonly Member[]): Buffer {
  const file = join(folder, "made.zip")
  const program = [
    "import json, sys, zipfile, warnings",
    "warnings.simplefilter('ignore')",
    "with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as archive:",
    "    for member in json.loads(sys.argv[2]):",
    "        info = zipfile.ZipInfo(member['name'])",
    "        mode = member.get('mode', 0o644)",
    "        info.external_attr = (mode if mode > 0o7777 else 0o100000 | mode) << 16",
    "        info.compress_type = zipfile.ZIP_DEFLATED",
    "        archive.writestr(info, member['content'])",
  ]
  execFileSync("python3", ["-c", program.join("\n"), file, JSON.stringify(members)])
  const archive = readFileSync(file)
  rmSync(file)
  return archive
}
