import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { isTracked } from "./is-tracked.js"
import { parseIndex } from "./parse-index.js"

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-git-")))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const names = ["a.pem", "b", "dir/c.key", "dir/deep/d", "dir-e", "日本/f.pem", `${"long/".repeat(60)}g`, "z"]

function git(...args: readonly string[]): void {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
  execFileSync("git", ["-C", folder, ...identity, ...args], { stdio: "ignore" })
}

function createRepository(version: number, ...init: readonly string[]): void {
  git("init", ...init)
  git("config", "index.version", String(version))
  for (const name of names) put(name)
  git("add", ".")
  put("untracked.pem")
}

function put(name: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), name)
}

describe.each([2, 3, 4])("an index of version %i", (version) => {
  test("tells tracked files from others", () => {
    createRepository(version)
    // Version 3 is only written when an entry needs its extended flags.
    if (version === 3) git("add", "--intent-to-add", "untracked.pem")
    for (const name of names) expect(isTracked(folder, join(folder, name)), name).toBe(true)
    const others = ["a.pe", "a.pem2", "dir", "dir/c.ke", "none", version === 3 ? "none2" : "untracked.pem"]
    for (const name of others) expect(isTracked(folder, join(folder, name)), name).toBe(false)
    expect(readFileSync(join(folder, ".git/index")).readUInt32BE(4)).toBe(version)
  })
})

test("a repository that uses SHA-256 is read too", () => {
  createRepository(2, "--object-format=sha256")
  expect(isTracked(folder, join(folder, "dir/c.key"))).toBe(true)
  expect(isTracked(folder, join(folder, "untracked.pem"))).toBe(false)
})

test("a root below the top of the repository, and a linked work tree", () => {
  createRepository(2)
  expect(isTracked(join(folder, "dir"), join(folder, "dir/c.key"))).toBe(true)
  git("commit", "-m", "first")
  git("worktree", "add", join(folder, "tree"))
  expect(isTracked(join(folder, "tree"), join(folder, "tree/dir/c.key"))).toBe(true)
  expect(isTracked(join(folder, "tree"), join(folder, "tree/none"))).toBe(false)
})

test("a change of the index is seen", () => {
  createRepository(2)
  expect(isTracked(folder, join(folder, "untracked.pem"))).toBe(false)
  git("add", "untracked.pem")
  expect(isTracked(folder, join(folder, "untracked.pem"))).toBe(true)
})

test("a repository made further down does not make its files tracked", () => {
  createRepository(2)
  mkdirSync(join(folder, "nested"))
  writeFileSync(join(folder, "nested/key.pem"), "")
  execFileSync("git", ["-C", join(folder, "nested"), "init"], { stdio: "ignore" })
  execFileSync("git", ["-C", join(folder, "nested"), "add", "."], { stdio: "ignore" })
  expect(isTracked(folder, join(folder, "nested/key.pem"))).toBe(false)
})

test("no repository, a damaged index and a foreign path mean untracked", () => {
  expect(isTracked(folder, join(folder, "a.pem"))).toBe(false)
  createRepository(2)
  expect(isTracked(folder, "/etc/passwd")).toBe(false)
  expect(isTracked(folder, folder)).toBe(false)
  const index = join(folder, ".git/index")
  const whole = readFileSync(index)
  truncateSync(index, whole.length - 30)
  expect(isTracked(folder, join(folder, "a.pem"))).toBe(false)
  const flipped = Buffer.from(whole)
  flipped[70] = flipped[70]! ^ 1
  writeFileSync(index, flipped)
  expect(isTracked(folder, join(folder, "a.pem"))).toBe(false)
  writeFileSync(index, whole)
  expect(isTracked(folder, join(folder, "a.pem"))).toBe(true)
  rmSync(index)
  expect(isTracked(folder, join(folder, "a.pem"))).toBe(false)
})

test("no bytes make the parser do anything but give names or give up", () => {
  const header = fc.record({
    version: fc.integer({ min: 1, max: 5 }),
    count: fc.nat(),
    body: fc.uint8Array({ maxLength: 400 }),
  })
  fc.assert(
    fc.property(header, ({ version, count, body }) => {
      const head = Buffer.alloc(12)
      head.write("DIRC")
      head.writeUInt32BE(version, 4)
      head.writeUInt32BE(count % 6, 8)
      try {
        const found = parseIndex(Buffer.concat([head, body]), 20)
        if (found) expect(found.starts.length).toBe(count % 6)
      } catch (error) {
        // Reading past the end is the reader's business, which takes it for damage.
        expect(error).toBeInstanceOf(RangeError)
      }
    }),
  )
})
