import { execFileSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { CommittedFiles } from "./committed-files.js"
import { findRepository } from "./find-repository.js"
import { GitObjects } from "./git-objects.js"
import { parseIndex } from "./parse-index.js"

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-git-")))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const names = ["a.pem", "b", "dir/c.key", "dir/deep/d", "dir-e", "日本/f.pem", `${"long/".repeat(60)}g`, "z"]

function git(...args: readonly string[]): string {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
  return execFileSync("git", ["-C", folder, ...identity, ...args], { encoding: "utf8", stdio: "pipe" }).trim()
}

function createRepository(...init: readonly string[]): void {
  git("init", "-q", ...init)
  for (const name of names) put(name)
  git("add", ".")
  git("commit", "-q", "-m", "first")
  put("untracked.pem")
}

function put(name: string, content = name): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), content)
}

const isCommitted = (name: string, files = new CommittedFiles(folder)) => files.has(join(folder, name))

describe.each([
  ["loose objects", () => undefined],
  ["a pack", () => git("gc", "-q")],
  ["a pack of deltas by name", () => git("-c", "repack.usedeltabaseoffset=false", "repack", "-q", "-a", "-d", "-f")],
])("with %s", (_, pack) => {
  test.each([["sha1"], ["sha256"]])("files of the commit are told from others (%s)", (format) => {
    createRepository(`--object-format=${format}`)
    pack()
    for (const name of names) expect(isCommitted(name), name).toBe(true)
    for (const name of ["a.pe", "a.pem2", "dir", "dir/c.ke", "none", "untracked.pem"])
      expect(isCommitted(name), name).toBe(false)
  })
})

test("what is staged, or committed after the session began, does not count", () => {
  createRepository()
  const files = new CommittedFiles(folder)
  const empty = git("hash-object", "-w", "-t", "blob", "/dev/null")
  git("update-index", "--add", "--cacheinfo", `100644,${empty},untracked.pem`)
  expect(isCommitted("untracked.pem", files)).toBe(false)
  git("commit", "-q", "-m", "forged")
  expect(isCommitted("untracked.pem", files)).toBe(false)
  expect(isCommitted("untracked.pem")).toBe(false)
  git("add", "untracked.pem")
  expect(isCommitted("untracked.pem")).toBe(false)
  git("commit", "-q", "-m", "real")
  expect(isCommitted("untracked.pem", files)).toBe(false)
  expect(isCommitted("untracked.pem")).toBe(true)
})

test("a file whose content changed is not the committed one; the former content makes it so again", () => {
  createRepository()
  const files = new CommittedFiles(folder)
  expect(isCommitted("a.pem", files)).toBe(true)
  put("a.pem", "other")
  expect(isCommitted("a.pem", files)).toBe(false)
  put("a.pem")
  expect(isCommitted("a.pem", files)).toBe(true)
})

test.each([
  ["commit", "HEAD"],
  ["tree", "HEAD^{tree}"],
])("a %s that a command put in the place of the one from the start does not count", (_, name) => {
  createRepository()
  const files = new CommittedFiles(folder)
  const object = () => {
    const id = git("rev-parse", name)
    return join(folder, ".git/objects", id.slice(0, 2), id.slice(2))
  }
  const real = object()
  git("add", "untracked.pem")
  git("commit", "-q", "-m", "forged")
  rmSync(real)
  copyFileSync(object(), real)
  expect(isCommitted("untracked.pem", files)).toBe(false)
  expect(isCommitted("a.pem", files)).toBe(false)
})

test("what is in another work tree is told by its place there", () => {
  git("init", "-q")
  put("file", "x")
  put("program", "x")
  put("folder/inner", "x")
  chmodSync(join(folder, "program"), 0o755)
  symlinkSync("folder", join(folder, "link"))
  git("add", ".")
  git("commit", "-q", "-m", "one")
  const files = new CommittedFiles(folder)
  const isSame = (name: string, made = name) => files.isCheckedOut(name.split("/"), join(folder, "made", made))
  mkdirSync(join(folder, "made/folder"), { recursive: true })
  for (const name of ["file", "program", "folder/inner", "other"]) put(`made/${name}`, "x")
  symlinkSync("folder", join(folder, "made/link"))
  const whole = ["file", "program", "folder", "folder/inner", "link"]
  expect(whole.filter((name) => !isSame(name))).toEqual([])
  expect(["other", "none", "folder/none", "file/inner"].filter((name) => isSame(name))).toEqual([])
  expect([isSame("file", "folder"), isSame("link", "file"), isSame("folder", "link")]).toEqual([false, false, false])
  chmodSync(join(folder, "made/program"), 0o755)
  chmodSync(join(folder, "made/file"), 0o755)
  expect([isSame("program"), isSame("file")]).toEqual([true, false])
  chmodSync(join(folder, "made/file"), 0o644)
  linkSync(join(folder, "made/file"), join(folder, "made/second"))
  expect(isSame("file")).toBe(false)
  put("made/folder/inner", "y")
  rmSync(join(folder, "made/link"))
  symlinkSync("elsewhere", join(folder, "made/link"))
  expect([isSame("folder/inner"), isSame("link")]).toEqual([false, false])
})

test("a root below the top of the repository, a linked work tree, a detached and a packed HEAD", () => {
  createRepository()
  expect(new CommittedFiles(join(folder, "dir")).has(join(folder, "dir/c.key"))).toBe(true)
  git("worktree", "add", "-q", join(folder, "tree"))
  const linked = new CommittedFiles(join(folder, "tree"))
  expect(linked.has(join(folder, "tree/dir/c.key"))).toBe(true)
  expect(linked.has(join(folder, "tree/none"))).toBe(false)
  git("pack-refs", "--all")
  expect(isCommitted("a.pem")).toBe(true)
  git("checkout", "-q", "--detach")
  expect(isCommitted("a.pem")).toBe(true)
})

test("a repository made further down does not make its files committed", () => {
  createRepository()
  put("nested/key.pem")
  for (const args of [
    ["init", "-q"],
    ["add", "."],
    ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
  ])
    execFileSync("git", ["-C", join(folder, "nested"), ...args], { stdio: "ignore" })
  expect(isCommitted("nested/key.pem")).toBe(false)
})

test("no repository, no commit, a damaged object and a foreign path mean not committed", () => {
  expect(isCommitted("a.pem")).toBe(false)
  git("init", "-q")
  put("a.pem")
  expect(isCommitted("a.pem")).toBe(false)
  git("add", ".")
  git("commit", "-q", "-m", "one")
  const files = new CommittedFiles(folder)
  expect(files.has("/etc/passwd")).toBe(false)
  expect(files.has(folder)).toBe(false)
  const tree = git("rev-parse", "HEAD^{tree}")
  const object = join(folder, ".git/objects", tree.slice(0, 2), tree.slice(2))
  const whole = readFileSync(object)
  rmSync(object)
  writeFileSync(object, whole.subarray(0, 5))
  expect(isCommitted("a.pem")).toBe(false)
  rmSync(object)
  expect(isCommitted("a.pem")).toBe(false)
  writeFileSync(object, whole)
  expect(isCommitted("a.pem")).toBe(true)
})

test("every object of a packed history is read as git reads it", () => {
  git("init", "-q")
  for (let round = 0; round < 40; round++) {
    put(
      "big.txt",
      Array.from({ length: 300 }, (_, line) => `${line * (line % 7 === round % 7 ? round : 1)}`).join("\n"),
    )
    put(`dir${round % 5}/file${round}.txt`, `${round}`)
    git("add", ".")
    git("commit", "-q", "-m", `${round}`)
  }
  git("gc", "-q", "--aggressive")
  expect(readdirSync(join(folder, ".git/objects/pack")).some((name) => name.endsWith(".pack"))).toBe(true)
  const objects = new GitObjects(join(folder, ".git/objects"), 20)
  const ids = git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype) %(deltabase)").split(
    "\n",
  )
  for (const line of ids) {
    const [id, kind] = line.split(" ")
    const expected = execFileSync("git", ["-C", folder, "cat-file", kind!, id!])
    const found = objects.read(id!)
    expect(found?.kind).toBe(kind)
    expect(found?.bytes.equals(expected), id).toBe(true)
  }
  expect(ids.filter((line) => !/ 0+$/.test(line)).length).toBeGreaterThan(20)
})

test("a pack with any byte changed gives an object, nothing, or an error that is distinguished", () => {
  createRepository()
  git("gc", "-q")
  const place = join(folder, ".git/objects/pack")
  const pack = join(place, readdirSync(place).find((name) => name.endsWith(".pack"))!)
  const whole = readFileSync(pack)
  rmSync(pack)
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = Buffer.from(whole)
      damaged[at] = damaged[at]! ^ change
      writeFileSync(pack, damaged)
      for (const name of names) expect([true, false]).toContain(isCommitted(name))
    }),
    { numRuns: 60 },
  )
})

describe.each([2, 3, 4])("an index of version %i", (version) => {
  test("gives the names that git gives", () => {
    git("init", "-q")
    git("config", "index.version", String(version))
    for (const name of names) put(name)
    git("add", ".")
    // Version 3 is only written when an entry needs its extended flags.
    put("later")
    if (version === 3) git("add", "--intent-to-add", "later")
    expect(readFileSync(join(folder, ".git/index")).readUInt32BE(4)).toBe(version)
    const expected = [...names, ...(version === 3 ? ["later"] : [])].map((name) => join(folder, name))
    expect([...findRepository(folder)!.tracked!.paths()].sort()).toEqual(expected.sort())
  })
})

test("an index that keeps names elsewhere is not taken for whole, nor is a damaged one", () => {
  createRepository()
  expect(findRepository(folder)?.tracked).toBeDefined()
  git("update-index", "--split-index")
  put("more")
  git("add", "more")
  expect(findRepository(folder)).toEqual({ top: folder, tracked: undefined })
  writeFileSync(join(folder, ".git/index"), "DIRC")
  expect(findRepository(folder)).toEqual({ top: folder, tracked: undefined })
  expect(findRepository("/")).toBeUndefined()
})

test("whatever bytes of an index are changed, the parser gives names or gives up", () => {
  createRepository()
  const whole = readFileSync(join(folder, ".git/index"))
  const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 3 })
  let gaveNames = 0
  fc.assert(
    fc.property(changes, fc.integer({ min: 0, max: whole.length }), (changed, length) => {
      const bytes = Buffer.from(whole)
      for (const [at, value] of changed) bytes[at] = value
      try {
        const found = parseIndex(length % 2 === 0 ? bytes : bytes.subarray(0, length), 20)
        if (found) gaveNames++
        expect(found?.starts.length ?? 0).toBe(found ? bytes.readUInt32BE(8) : 0)
      } catch (error) {
        // Reading past the end is the reader's business, which takes it for damage.
        expect(error).toBeInstanceOf(RangeError)
      }
    }),
    { numRuns: 500 },
  )
  expect(gaveNames).toBeGreaterThan(100)
})
