import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { bytes, createFileGround, type FileGround, failureOf, textOf } from "../../../test/file-ground.js"
import { objectPath } from "../../undo/keep/history-object.js"
import { contentHash } from "../system/content-hash.js"
import { portableWalk } from "../walk/portable/index.js"

// The superuser may write everything.
const isSuperuser = process.getuid?.() === 0

let ground: FileGround
beforeEach(() => {
  ground = createFileGround()
})
afterEach(() => ground.close())
const at = (path: string) => join(ground.root, path)
const put = (path: string, content: string | Uint8Array) => writeFileSync(at(path), content)
const content = (path: string) => readFileSync(at(path), "utf8")
const append = (text: string) => (current: { bytes: Uint8Array }) => bytes(textOf(current.bytes) + text)

describe("write", () => {
  test("[C2-30] creates a file with its parents, and replaces the whole of it", async () => {
    const created = await ground.files().write("new/deep/file.txt", bytes("one"))
    expect(created).toEqual({
      path: at("new/deep/file.txt"),
      created: true,
      bytesWritten: 3,
      hash: contentHash(bytes("one")),
      before: undefined,
    })
    const replaced = await ground.files().write("new/deep/file.txt", bytes("two!"))
    expect(replaced).toMatchObject({ created: false, bytesWritten: 4 })
    expect(textOf(replaced.before)).toBe("one")
    expect(content("new/deep/file.txt")).toBe("two!")
    expect(ground.effects).toEqual([
      {
        kind: "fs.write",
        path: at("new/deep/file.txt"),
        before: null,
        after: contentHash(bytes("one")),
        kept: true,
        createdDirectories: [at("new"), at("new/deep")],
      },
      {
        kind: "fs.write",
        path: at("new/deep/file.txt"),
        before: contentHash(bytes("one")),
        after: contentHash(bytes("two!")),
        kept: true,
        mode: statSync(at("new/deep/file.txt")).mode & 0o7777,
      },
    ])
    expect(readdirSync(at("new/deep"))).toEqual(["file.txt"])
  })

  test("keeps mode bits, and the owner where the system allows it", async () => {
    put("run.sh", "#!/bin/sh\n")
    chmodSync(at("run.sh"), 0o751)
    await ground.files().write("run.sh", bytes("#!/bin/sh\necho\n"))
    await ground.files().update("run.sh", { maxBytes: 100 }, append("exit\n"))
    expect(statSync(at("run.sh")).mode & 0o7777).toBe(0o751)
  })

  test("drops set-user-id and set-group-id with the content they were given for, and keeps all other bits", async () => {
    const modeOf = () => statSync(at("tool")).mode & 0o7777
    const change = {
      write: () => ground.files().write("tool", bytes("new")),
      update: () => ground.files().update("tool", { maxBytes: 100 }, append("more")),
    }
    for (const work of Object.values(change)) {
      put("tool", "old")
      chmodSync(at("tool"), 0o7751)
      expect(modeOf()).toBe(0o7751)
      await work()
      expect(modeOf()).toBe(0o1751)
    }
  })

  test("drops them also from a file that the same call takes away and makes anew", async () => {
    put("tool", "old")
    chmodSync(at("tool"), 0o6755)
    const files = ground.files()
    await files.remove("tool")
    await files.write("tool", bytes("new"))
    expect(statSync(at("tool")).mode & 0o7777).toBe(0o755)
  })

  test("refuses a file that is there when it must be new, and its content stays", async () => {
    put("there", "theirs")
    expect((await failureOf(ground.files().write("there", bytes("mine"), { mustBeNew: true }))).code).toBe("conflict")
    expect(content("there")).toBe("theirs")
    expect((await ground.files().write("new", bytes("mine"), { mustBeNew: true })).created).toBe(true)
  })

  test("breaks a hard link instead of changing the other name", async () => {
    put("one", "shared")
    linkSync(at("one"), join(ground.outside, "other"))
    await ground.files().write("one", bytes("changed"))
    expect(readFileSync(join(ground.outside, "other"), "utf8")).toBe("shared")
    expect(content("one")).toBe("changed")
  })

  test("writes through an inner link to the file behind it, and the link stays", async () => {
    put("real", "old")
    symlinkSync("real", at("link"))
    symlinkSync("not/yet", at("dangling"))
    expect((await ground.files().write("link", bytes("new"))).path).toBe(at("real"))
    await ground.files().write("dangling", bytes("made"))
    expect(lstatSync(at("link")).isSymbolicLink()).toBe(true)
    expect([content("real"), content("not/yet")]).toEqual(["new", "made"])
  })

  test("asks the grant with the resolved path, and leaves nothing behind when it says no", async () => {
    const files = ground.files({ grant: { admits: (kind) => kind !== "fs.write" } })
    expect((await failureOf(files.write("a/b/c", bytes("x")))).code).toBe("denied")
    expect(readdirSync(ground.root)).toEqual([])
  })

  test.skipIf(isSuperuser)("a file marked read-only stays as it is", async () => {
    put("fixed", "old")
    chmodSync(at("fixed"), 0o444)
    expect((await failureOf(ground.files().write("fixed", bytes("new")))).code).toBe("denied")
    expect(content("fixed")).toBe("old")
  })

  test("content of any size and shape arrives as it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), fc.uint8Array({ maxLength: 5000 }), async (one, two) => {
        await ground.files().write("any", one)
        const receipt = await ground.files().write("any", two)
        expect(Buffer.compare(receipt.before!, one)).toBe(0)
        expect(Buffer.compare(readFileSync(at("any")), two)).toBe(0)
      }),
      { numRuns: 30 },
    )
    const large = Buffer.alloc(3_000_000, "large ")
    await ground.files().write("any", large)
    expect(Buffer.compare(readFileSync(at("any")), large)).toBe(0)
  })

  test("an abort before the rename leaves the file and no temporary file", async () => {
    put("file", "old")
    const abort = new AbortController()
    const files = ground.files({ signal: abort.signal })
    const work = files.update("file", { maxBytes: 100 }, () => {
      abort.abort()
      return bytes("new")
    })
    expect((await failureOf(work)).code).toBe("cancelled")
    expect(content("file")).toBe("old")
    expect(readdirSync(ground.root)).toEqual(["file"])
  })

  test("works the same where directories cannot be held", async () => {
    const portable = createFileGround({ walk: portableWalk })
    try {
      await portable.files().write("new/file", bytes("one"))
      await portable.files().update("new/file", { maxBytes: 100 }, append(" two"))
      expect(readFileSync(join(portable.root, "new/file"), "utf8")).toBe("one two")
    } finally {
      portable.close()
    }
  })
})

describe("a file that somebody changes right before the rename", () => {
  const memory = "/dev/shm"
  const hasOtherFileSystem = existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev
  /** Files that the history keeps by a second name, and those that it cannot, where the last look is all there is. */
  const kinds = {
    "a plain file": {},
    "a secret": { mayKeep: false },
    "a file with a second name": { prepare: () => linkSync(at("file"), at("other")) },
    "content that the history has already": {
      prepare: async () => {
        await ground.files().write("file", bytes("for a while"))
        await ground.files().write("file", bytes("one"))
      },
    },
    "a file on another file system than the history": { elsewhere: true },
  } satisfies Record<string, { mayKeep?: false; prepare?: () => unknown; elsewhere?: true }>
  const changes = {
    "is written": () => put("file", "two"),
    "is replaced": () => {
      writeFileSync(join(ground.outside, "new"), "two")
      renameSync(join(ground.outside, "new"), at("file"))
    },
    "is replaced by one of the same size and time": () => {
      const { atime, mtime } = statSync(at("file"))
      writeFileSync(join(ground.outside, "new"), "two")
      utimesSync(join(ground.outside, "new"), atime, mtime)
      renameSync(join(ground.outside, "new"), at("file"))
    },
  }
  const cases = Object.keys(kinds).flatMap((kind) =>
    Object.keys(changes).flatMap((change) => [
      [kind, change, "write"],
      [kind, change, "update"],
    ]),
  ) as [keyof typeof kinds, keyof typeof changes, "write" | "update"][]

  test.for(cases)("%s that %s: %s is a conflict and its content stays", async ([kind, change, how], { skip }) => {
    const {
      mayKeep = true,
      prepare,
      elsewhere,
    } = kinds[kind] as (typeof kinds)["a secret"] & {
      readonly prepare?: () => unknown
      readonly elsewhere?: true
    }
    skip(elsewhere === true && !hasOtherFileSystem, "there is no second file system here")
    const folder = elsewhere ? mkdtempSync(join(memory, "haft-history-")) : undefined
    if (folder) {
      ground.close()
      ground = createFileGround({ historyFolder: folder })
    }
    try {
      put("file", "one")
      await prepare?.()
      // Asked last of all, when the new content is made and nothing is written yet.
      let asked = 0
      const grant = {
        mayKeep: () => {
          asked += 1
          if (asked === 1) changes[change]()
          return mayKeep
        },
      }
      const files = ground.files({ grant })
      const work =
        how === "write"
          ? files.write("file", bytes("mine"))
          : files.update("file", { maxBytes: 100 }, () => bytes("mine"))
      expect(await failureOf(work)).toMatchObject({ code: "conflict" })
      expect(asked).toBeGreaterThan(0)
      expect(content("file")).toBe("two")
      expect(readdirSync(ground.root).filter((name) => name !== "other")).toEqual(["file"])
    } finally {
      if (folder) rmSync(folder, { recursive: true, force: true })
    }
  })

  test("a write that ends before the rename leaves no second name of the file in the history", async () => {
    put("file", "old")
    const abort = new AbortController()
    const grant = {
      mayKeep: () => {
        abort.abort()
        return true
      },
    }
    const error = await failureOf(ground.files({ grant, signal: abort.signal }).write("file", bytes("new")))
    expect(error.code).toBe("cancelled")
    expect(content("file")).toBe("old")
    expect(statSync(at("file")).nlink).toBe(1)
    expect(existsSync(objectPath(ground.historyFolder, contentHash(bytes("old"))))).toBe(false)
  })
})

test("a write over a file of 8 GB, and its removal, do not read it", async () => {
  const [replaced, removed] = [join(ground.root, "replaced"), join(ground.root, "removed")]
  for (const path of [replaced, removed]) {
    writeFileSync(path, "")
    truncateSync(path, 8e9)
  }
  const files = ground.files({ signal: AbortSignal.timeout(2_000) })
  await files.write("replaced", bytes("small"))
  await files.remove("removed")
  expect(readFileSync(replaced, "utf8")).toBe("small")
  expect(existsSync(removed)).toBe(false)
  const before = expect.stringContaining('"size":8000000000')
  const kept = "it is larger than 64 MB"
  expect(ground.effects).toMatchObject([
    { kind: "fs.write", path: replaced, before, kept },
    { kind: "fs.delete", path: removed, before, after: null, kept },
  ])
})

test("what a rule names as secret is not kept and not handed out", async () => {
  const files = ground.files({ grant: { mayKeep: () => false } })
  put("secret", "password one\n")
  expect((await files.write("secret", bytes("x"))).before).toBeUndefined()
  put("secret", "password two\n")
  const receipt = await files.update("secret", { maxBytes: 100 }, () => bytes("y"))
  expect(receipt.before).toBeUndefined()
  const kept = ground.effects.flatMap((effect) => (effect.kind === "fs.write" ? [effect.kept] : []))
  expect(kept).toEqual(["a rule names it as secret", "a rule names it as secret"])
  for (const text of ["password one\n", "password two\n"]) {
    expect(existsSync(objectPath(ground.historyFolder, contentHash(bytes(text))))).toBe(false)
  }
})

describe("a file that changed since it was read", () => {
  test("is a conflict that shows what changed, until it is read again", async () => {
    put("file", "one\ntwo\nthree\n")
    const files = ground.files()
    await files.open("file")
    put("file", "one\nTWO\nthree\n")
    const error = await failureOf(files.write("file", bytes("mine\n")))
    expect(error.code).toBe("conflict")
    expect(error.message).toContain("-two\n+TWO")
    expect(error.hint).toBe("Read the file again")
    expect(content("file")).toBe("one\nTWO\nthree\n")
    await files.readAll("file", { maxBytes: 100 })
    await files.write("file", bytes("mine\n"))
    expect(content("file")).toBe("mine\n")
  })

  test("is no conflict when only its time changed, when it was never read, or by own writes", async () => {
    put("file", "same")
    put("unread", "x")
    const files = ground.files()
    await files.open("file")
    utimesSync(at("file"), 1, 1)
    await files.write("file", bytes("second"))
    await files.write("file", bytes("third"))
    await files.update("file", { maxBytes: 100 }, append("!"))
    await files.write("file", bytes("fourth"))
    await files.write("unread", bytes("y"))
    expect([content("file"), content("unread")]).toEqual(["fourth", "y"])
  })

  test("[C2-27] does not stop an update, which sees the content of this moment", async () => {
    put("file", "one")
    const files = ground.files()
    await files.open("file")
    put("file", "other")
    await files.update("file", { maxBytes: 100 }, append("!"))
    expect(content("file")).toBe("other!")
    expect((await failureOf(files.write("file", bytes("mine")))).code).toBe("conflict")
    await files.write("just-made", bytes("a"))
    await files.update("just-made", { maxBytes: 100 }, append("b"))
    expect(content("just-made")).toBe("ab")
  })

  test("is noticed after part of a large file was read", async () => {
    put("large", Buffer.alloc(400_000, "a"))
    const files = ground.files()
    const file = await files.open("large")
    await file.lines({ startLine: 0, maxLines: 1, maxBytes: 100, unit: "byte" })
    await file.close()
    put("large", Buffer.alloc(400_001, "b"))
    expect((await failureOf(files.write("large", bytes("mine")))).code).toBe("conflict")
  })

  test("shows nothing of a file that a rule names as secret", async () => {
    put("secret", "password one\n")
    const files = ground.files({ grant: { mayKeep: () => false } })
    await files.open("secret")
    put("secret", "password two\n")
    expect((await failureOf(files.write("secret", bytes("x")))).message).not.toContain("password")
  })
})

describe("update", () => {
  test("[C2-24] reads the current content inside the same call", async () => {
    put("file", "a")
    put("file", "b")
    await ground.files().update("file", { maxBytes: 100 }, append("c"))
    expect(content("file")).toBe("bc")
    expect(ground.effects.map(({ kind }) => kind)).toEqual(["fs.read", "fs.write"])
  })

  test("needs reading and writing granted", async () => {
    put("file", "a")
    for (const forbidden of ["fs.read", "fs.write"]) {
      const files = ground.files({ grant: { admits: (kind) => kind !== forbidden } })
      expect((await failureOf(files.update("file", { maxBytes: 100 }, append("!")))).code).toBe("denied")
    }
    expect(content("file")).toBe("a")
  })

  test("of a missing file is not_found with near names", async () => {
    put("file.txt", "a")
    const error = await failureOf(ground.files().update("fiel.txt", { maxBytes: 100 }, append("!")))
    expect(error).toMatchObject({ code: "not_found", message: expect.stringContaining('"file.txt"') })
  })

  test("[C2-28] a change from outside between reading and writing is a conflict and nothing is written", async () => {
    put("file", "one")
    const work = ground.files().update("file", { maxBytes: 100 }, () => {
      put("file", "two")
      return bytes("mine")
    })
    expect((await failureOf(work)).code).toBe("conflict")
    expect(content("file")).toBe("two")
    const removed = ground.files().update("file", { maxBytes: 100 }, async () => {
      unlinkSync(at("file"))
      return bytes("mine")
    })
    expect((await failureOf(removed)).code).toBe("conflict")
    expect(readdirSync(ground.root)).toEqual([])
  })

  test("[C2-29] a hundred updates in flight all land, also through a link", async () => {
    put("file", "")
    mkdirSync(at("sub"))
    symlinkSync("../file", at("sub/alias"))
    const updates = Array.from({ length: 100 }, (_, index) =>
      ground.files().update(index % 2 ? "file" : "sub/alias", { maxBytes: 10_000 }, append(`${index},`)),
    )
    await Promise.all(updates)
    expect(content("file").split(",").length).toBe(101)
    expect(new Set(content("file").split(",")).size).toBe(101)
  })
})
