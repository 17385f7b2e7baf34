import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import type { ObservedEffect } from "@haft/contract"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { bytes, createFileGround, type FileGround, failureOf } from "../../test/file-ground.js"
import { contentHash } from "../files/system/content-hash.js"
import { objectPath } from "./keep/history-object.js"
import { pruneHistory } from "./keep/prune-history.js"
import { undoEffects } from "./restore/undo-effects.js"

let ground: FileGround
beforeEach(() => {
  ground = createFileGround()
})
afterEach(() => ground.close())
const at = (path: string) => join(ground.root, path)
const put = (path: string, content: string | Uint8Array) => writeFileSync(at(path), content)
const content = (path: string) => readFileSync(at(path), "utf8")
const undo = (effects: readonly ObservedEffect[] = ground.effects) =>
  undoEffects(effects, { historyFolder: ground.historyFolder, roots: [ground.root] })
const objectOf = (text: string) => objectPath(ground.historyFolder, contentHash(bytes(text)))

describe("what a write replaces", () => {
  test("is kept by its hash, closed to others, without copying where that is possible", async () => {
    put("file", "former")
    const { ino } = statSync(at("file"))
    await ground.files().write("file", bytes("new"))
    expect(readFileSync(objectOf("former"), "utf8")).toBe("former")
    expect(statSync(objectOf("former")).ino).toBe(ino)
    expect(statSync(objectOf("former")).mode & 0o777).toBe(0o600)
    expect(statSync(ground.historyFolder).mode & 0o777).toBe(0o700)
  })

  test("is copied when the file has another name, so that the history cannot change with it", async () => {
    put("file", "former")
    linkSync(at("file"), join(ground.outside, "other"))
    await ground.files().write("file", bytes("new"))
    writeFileSync(join(ground.outside, "other"), "scribbled")
    expect(readFileSync(objectOf("former"), "utf8")).toBe("former")
  })

  test("is not kept when a rule names the file as secret", async () => {
    put("secret", "password")
    await ground.files({ grant: { mayKeep: () => false } }).write("secret", bytes("new"))
    expect(ground.effects).toMatchObject([{ kept: "a rule names it as secret" }])
    expect(existsSync(objectOf("password"))).toBe(false)
    expect((await failureOf(undo())).code).toBe("unsupported")
  })

  test("a history that cannot be written does not stop the write, and the effect says why", async () => {
    put("file", "former")
    writeFileSync(ground.historyFolder, "a file in the place of the folder")
    await ground.files().write("file", bytes("new"))
    expect(content("file")).toBe("new")
    expect(ground.effects).toMatchObject([{ kept: expect.stringContaining("history folder cannot be written") }])
  })
})

describe("undo", () => {
  test("restores exact bytes and mode, and removes what was created", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array(),
        fc.uint8Array(),
        fc.constantFrom(0o600, 0o755, 0o640),
        async (old, now, mode) => {
          ground.effects.length = 0
          put("file", old)
          chmodSync(at("file"), mode)
          await ground.files().write("file", now)
          chmodSync(at("file"), 0o666)
          await ground.files().write("made/deep/new", now)
          const report = await undo()
          expect(report).toEqual(
            Buffer.compare(old, now) === 0
              ? { restored: [], removed: [at("made/deep/new")], removedDirectories: [at("made/deep"), at("made")] }
              : {
                  restored: [at("file")],
                  removed: [at("made/deep/new")],
                  removedDirectories: [at("made/deep"), at("made")],
                },
          )
          expect(Buffer.compare(readFileSync(at("file")), old)).toBe(0)
          if (report.restored.length > 0) expect(statSync(at("file")).mode & 0o7777).toBe(mode)
          expect(readdirSync(ground.root)).toEqual(["file"])
          ground.session.ledger.forget(at("file"))
          ground.session.ledger.forget(at("made/deep/new"))
        },
      ),
      { numRuns: 20 },
    )
  })

  test("goes back over several changes of one file", async () => {
    put("file", "one")
    for (const text of ["two", "three", "four"]) await ground.files().write("file", bytes(text))
    await undo()
    expect(content("file")).toBe("one")
  })

  test("refuses as a whole when one file was changed by somebody else, and shows what differs", async () => {
    put("a", "old a")
    put("b", "old b\n")
    await ground.files().write("a", bytes("new a"))
    await ground.files().write("b", bytes("new b\n"))
    put("b", "foreign\n")
    const error = await failureOf(undo())
    expect(error.code).toBe("conflict")
    expect(error.message).toContain('Cannot undo "b"')
    expect(error.message).toContain("its content changed at")
    expect([content("a"), content("b")]).toEqual(["new a", "foreign\n"])
  })

  test("refuses when a created file was changed or removed, and never deletes a foreign file", async () => {
    await ground.files().write("new", bytes("mine"))
    put("new", "foreign")
    expect((await failureOf(undo())).code).toBe("conflict")
    expect(content("new")).toBe("foreign")
    unlinkSync(at("new"))
    expect((await failureOf(undo())).message).toContain("it was removed")
  })

  test("keeps a created directory that holds something else by now", async () => {
    await ground.files().write("dir/new", bytes("mine"))
    put("dir/other", "foreign")
    expect(await undo()).toEqual({ restored: [], removed: [at("dir/new")], removedDirectories: [] })
    expect(content("dir/other")).toBe("foreign")
  })

  test("refuses when somebody changed the file between two of the changes", async () => {
    put("file", "one")
    await ground.files().write("file", bytes("two"))
    put("file", "foreign")
    await ground.files().update("file", { maxBytes: 100 }, () => bytes("three"))
    expect((await failureOf(undo())).code).toBe("conflict")
    expect(content("file")).toBe("three")
  })

  test("refuses when the kept content is gone or was changed", async () => {
    put("file", "former")
    await ground.files().write("file", bytes("new"))
    writeFileSync(objectOf("former"), "forged")
    expect((await failureOf(undo())).code).toBe("not_found")
    unlinkSync(objectOf("former"))
    expect((await failureOf(undo())).code).toBe("not_found")
    expect(content("file")).toBe("new")
  })

  test("brings back a removed file", async () => {
    put("file", "former")
    await ground.files().write("file", bytes("new"))
    unlinkSync(at("file"))
    const removal: ObservedEffect = {
      kind: "fs.delete",
      path: at("file"),
      before: contentHash(bytes("new")),
      after: null,
      kept: true,
    }
    await undo([...ground.effects, removal])
    expect(content("file")).toBe("former")
  })

  test("does not reach outside the roots", async () => {
    writeFileSync(join(ground.outside, "file"), "x")
    const effect = {
      kind: "fs.write" as const,
      path: join(ground.outside, "file"),
      before: null,
      after: contentHash(bytes("x")),
      kept: true as const,
    }
    expect((await failureOf(undo([effect]))).code).toBe("denied")
    expect(existsSync(join(ground.outside, "file"))).toBe(true)
  })
})

describe("pruning the history", () => {
  test("removes the oldest until the rest fits, and what is too old", async () => {
    for (const text of ["1111", "2222", "3333", "4444"]) {
      put("file", text)
      ground.session.ledger.forget(at("file"))
      await ground.files().write("file", bytes(`after ${text}`))
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
    mkdirSync(join(ground.historyFolder, "zz"))
    writeFileSync(join(ground.historyFolder, "zz", "foreign"), "not an object")
    const prune = (maxBytes: number, maxAgeMs: number) =>
      pruneHistory({ historyFolder: ground.historyFolder, maxBytes, maxAgeMs })
    expect(await prune(1e9, 1e9)).toEqual({ removed: 0, bytes: 0 })
    expect(await prune(8, 1e9)).toEqual({ removed: 2, bytes: 8 })
    expect(existsSync(objectOf("2222"))).toBe(false)
    expect(existsSync(objectOf("3333"))).toBe(true)
    expect(await prune(1e9, -1)).toEqual({ removed: 2, bytes: 8 })
    expect(existsSync(join(ground.historyFolder, "zz", "foreign"))).toBe(true)
    expect(await pruneHistory({ historyFolder: join(ground.root, "none"), maxBytes: 0, maxAgeMs: 0 })).toEqual({
      removed: 0,
      bytes: 0,
    })
  })
})
