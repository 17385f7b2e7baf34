import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import type { Grant } from "@haft/contract"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { bytes, createFileGround, type FileGround, failureOf } from "../../../test/file-ground.js"
import { readTree } from "../../../test/read-tree.js"
import { undoEffects } from "../../undo/restore/undo-effects.js"
import { contentHash } from "../system/content-hash.js"
import { portableWalk } from "../walk/portable/index.js"
import { tempPattern } from "../write/temp-file.js"

const isSuperuser = process.getuid?.() === 0

let ground: FileGround
beforeEach(() => {
  ground = createFileGround()
})
afterEach(() => ground.close())
const at = (path: string) => join(ground.root, path)
const put = (path: string, content = path) => {
  mkdirSync(join(at(path), ".."), { recursive: true })
  writeFileSync(at(path), content)
}
const content = (path: string) => readFileSync(at(path), "utf8")
const hash = (text: string) => contentHash(bytes(text))
const undo = () => undoEffects(ground.effects, { historyFolder: ground.historyFolder, roots: [ground.root] })
const move = (from: string, to: string) => ground.files().move(from, to)
const denying = (denied: (kind: string, path: string) => boolean): { grant: Partial<Grant> } => ({
  grant: { admits: (kind, path) => !denied(kind, path) },
})

const tree = () => readTree(ground.root)

describe("moving a file", () => {
  test("keeps the very file, makes parents, and says what happened", async () => {
    put("a.txt")
    chmodSync(at("a.txt"), 0o750)
    const { ino, mtimeMs } = statSync(at("a.txt"))
    const receipt = await move("a.txt", "new/deep/b.txt")
    expect(receipt).toEqual({ from: at("a.txt"), to: at("new/deep/b.txt"), kind: "file" })
    expect(statSync(at("new/deep/b.txt"))).toMatchObject({ ino, mtimeMs, nlink: 1 })
    expect(ground.effects).toEqual([
      { kind: "fs.delete", path: at("a.txt"), before: hash("a.txt"), after: null, kept: true, mode: 0o750 },
      {
        ...{ kind: "fs.write", path: at("new/deep/b.txt"), before: null, after: hash("a.txt"), kept: true },
        createdDirectories: [at("new"), at("new/deep")],
      },
    ])
  })

  test("undo brings it back with mode and time, and removes the folders that were made", async () => {
    put("a.txt")
    chmodSync(at("a.txt"), 0o750)
    utimesSync(at("a.txt"), 1_000_000, 1_000_000)
    await move("a.txt", "new/deep/b.txt")
    const report = await undo()
    expect(report).toEqual({
      restored: [at("a.txt")],
      removed: [at("new/deep/b.txt")],
      removedDirectories: [at("new/deep"), at("new")],
    })
    expect(tree()).toEqual({ "a.txt": "a.txt" })
    expect(statSync(at("a.txt"))).toMatchObject({ mtimeMs: 1_000_000_000 })
    expect(statSync(at("a.txt")).mode & 0o777).toBe(0o750)
  })

  test("undo refuses when the file was changed at its new place", async () => {
    put("a.txt")
    await move("a.txt", "b.txt")
    writeFileSync(at("b.txt"), "other")
    expect((await failureOf(undo())).code).toBe("conflict")
    expect(tree()).toEqual({ "b.txt": "other" })
  })

  test.each(["file", "folder", "link", "dangling link"])(
    "nothing is overwritten: a %s at the new place is a conflict",
    async (kind) => {
      put("a.txt")
      if (kind === "file") put("b")
      if (kind === "folder") mkdirSync(at("b"))
      if (kind === "link") symlinkSync("a.txt", at("b"))
      if (kind === "dangling link") symlinkSync("nowhere", at("b"))
      const before = tree()
      const error = await failureOf(move("a.txt", "b"))
      expect([error.code, error.message]).toEqual(["conflict", expect.stringContaining('Cannot move "a.txt" to "b"')])
      expect(tree()).toEqual(before)
      expect(ground.effects).toEqual([])
    },
  )

  test("of many moves to one place at the same time exactly one wins", async () => {
    for (let index = 0; index < 20; index++) put(`f${index}`)
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => move(`f${index}`, "goal")))
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    expect(readdirSync(ground.root)).toHaveLength(20)
  })

  test("moves in opposite directions do not wait for each other for ever", async () => {
    put("a")
    await Promise.allSettled(Array.from({ length: 20 }, (_, index) => (index % 2 ? move("a", "b") : move("b", "a"))))
    expect(Object.values(tree())).toEqual(["a"])
  })

  test("what is not there, leads out, or is no file is refused", async () => {
    put("near.txt")
    put("dir/file")
    symlinkSync(ground.outside, at("out"))
    symlinkSync("near.txt", at("link"))
    execFileSync("mkfifo", [at("fifo")])
    expect(await failureOf(move("neer.txt", "b"))).toMatchObject({
      code: "not_found",
      hint: "Use one of the near names",
    })
    expect((await failureOf(move("near.txt", "out/x"))).code).toBe("denied")
    expect((await failureOf(move("out/x", "y"))).code).toBe("denied")
    expect((await failureOf(move("../x", "y"))).code).toBe("denied")
    expect((await failureOf(move("link", "y"))).code).toBe("unsupported")
    expect((await failureOf(move("fifo", "y"))).code).toBe("unsupported")
    expect((await failureOf(move("near.txt", "dir/"))).code).toBe("unsupported")
    expect((await failureOf(move("near.txt", "dir/file/x"))).code).toBe("not_found")
    expect((await failureOf(move("near.txt", "near.txt"))).code).toBe("invalid_args")
    expect((await failureOf(move("near.txt", "n\0"))).code).toBe("denied")
    expect((await failureOf(move("near.txt", "x".repeat(300)))).code).toBe("unsupported")
    expect((await failureOf(move(".", "y"))).code).toBe("unsupported")
    expect(readdirSync(ground.outside)).toEqual([])
  })

  test("a failed move leaves no folders that were made for it", async () => {
    put("a")
    await failureOf(move("a", `new/deep/${"x".repeat(300)}`))
    expect(tree()).toEqual({ a: "a" })
  })

  test("both places are judged, and nothing becomes readable by another name", async () => {
    put("a")
    const files = (denied: (kind: string, path: string) => boolean) => ground.files(denying(denied))
    const [from, to] = [at("a"), at("b")]
    const refusals = [
      files((kind, path) => kind === "fs.delete" && path === from),
      files((kind, path) => kind === "fs.write" && path === to),
      files((kind, path) => kind === "fs.read" && path === from),
    ].map((each) => failureOf(each.move("a", "b")))
    for (const error of await Promise.all(refusals)) expect(error.code).toBe("denied")
    await files((kind) => kind === "fs.read").move("a", "b")
    expect(tree()).toEqual({ b: "a" })
  })

  test("what the session knows about a file moves with it", async () => {
    put("a")
    put("c")
    const files = ground.files()
    await files.open("a")
    await files.open("c")
    writeFileSync(at("c"), "changed from outside")
    await files.move("a", "b")
    await files.move("c", "d")
    await files.write("b", bytes("new"))
    expect((await failureOf(files.write("d", bytes("new")))).code).toBe("conflict")
    await files.write("a", bytes("a file that was never read"))
  })

  test("a file with a second name keeps it", async () => {
    put("a")
    linkSync(at("a"), at("second"))
    await move("a", "b")
    expect(statSync(at("b")).ino).toBe(statSync(at("second")).ino)
  })

  test("a cancelled move does nothing", async () => {
    put("a")
    const error = await failureOf(ground.files({ signal: AbortSignal.abort() }).move("a", "b"))
    expect(error.code).toBe("cancelled")
    expect(tree()).toEqual({ a: "a" })
  })

  test.skipIf(isSuperuser)("a folder that may not be written is a typed error", async () => {
    put("closed/a")
    chmodSync(at("closed"), 0o500)
    expect((await failureOf(move("closed/a", "b"))).code).toBe("denied")
    chmodSync(at("closed"), 0o700)
  })

  test("the walk by paths moves and removes as well", async () => {
    ground.close()
    ground = createFileGround({ walk: portableWalk })
    put("a/b/c")
    await move("a/b/c", "x/y")
    await move("a", "z")
    await ground.files().remove("x/y")
    expect(tree()).toEqual({ x: null, z: null, "z/b": null })
    await undo()
    expect(content("a/b/c")).toBe("a/b/c")
  })
})

describe("across file systems", () => {
  // Another file system is mounted for this; that needs the superuser.
  const mountable = process.platform === "linux" && isSuperuser && canMount()

  test.skipIf(!mountable)("a file is copied, proven and removed; a folder is refused", async () => {
    mkdirSync(at("other"))
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", at("other")])
    try {
      put("a", "x".repeat(1_500_000))
      chmodSync(at("a"), 0o640)
      utimesSync(at("a"), 1_000_000, 1_000_000)
      await move("a", "other/new/b")
      expect(content("other/new/b")).toBe("x".repeat(1_500_000))
      expect(statSync(at("other/new/b"))).toMatchObject({ mtimeMs: 1_000_000_000 })
      expect(statSync(at("other/new/b")).mode & 0o777).toBe(0o640)
      expect(existsSync(at("a"))).toBe(false)
      await undo()
      expect(readdirSync(at("other"))).toEqual([])
      expect(content("a")).toBe("x".repeat(1_500_000))
      ground.effects.length = 0
      put("other/c")
      expect((await failureOf(move("a", "other/c"))).code).toBe("conflict")
      put("huge", "x".repeat(6_000_000))
      expect((await failureOf(move("huge", "other/huge"))).code).toBe("backend")
      expect(statSync(at("huge")).size).toBe(6_000_000)
      expect(readdirSync(at("other")).filter((name) => tempPattern.test(name))).toEqual([])
      put("d/one")
      expect((await failureOf(move("d", "other/d"))).code).toBe("unsupported")
      expect(readdirSync(at("other"))).toEqual(["c"])
    } finally {
      execFileSync("umount", [at("other")])
    }
  })
})

test("random moves, writes and removals of one call are all undone, and a call that takes them back leaves no trace", async () => {
  const names = ["a", "b", "c", "d/a", "d/b", "e/f/g"]
  const name = fc.constantFrom(...names)
  const step = fc.oneof(
    fc.record({ kind: fc.constant("move" as const), from: name, to: name }),
    fc.record({ kind: fc.constant("write" as const), path: name, text: fc.string({ maxLength: 5 }) }),
    fc.record({ kind: fc.constant("remove" as const), path: name }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.subarray(names), async (steps, present) => {
      ground.close()
      ground = createFileGround()
      for (const path of present) put(path)
      const before = tree()
      const files = ground.files()
      for (const each of steps) {
        const done =
          each.kind === "move"
            ? files.move(each.from, each.to)
            : each.kind === "write"
              ? files.write(each.path, bytes(each.text))
              : files.remove(each.path)
        await done.catch(() => undefined)
      }
      await undo()
      const withoutFolders = (all: Record<string, string | null>) =>
        Object.fromEntries(Object.entries(all).filter(([, text]) => text !== null))
      expect(withoutFolders(tree())).toEqual(withoutFolders(before))
    }),
    { numRuns: 60 },
  )
})

function canMount(): boolean {
  try {
    execFileSync("unshare", ["--mount", "true"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}
