import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { bytes, createFileGround, type FileGround, failureOf, textOf } from "../../../test/file-ground.js"
import { drive, type Program } from "./program.js"

describe("a program", () => {
  const call = (value: unknown, heavy = false) => ({ now: () => value, later: async () => value, heavy })

  test("of light calls ends at once, one with a heavy call ends later, both with the same result", async () => {
    function* add(heavy: boolean): Program<number> {
      const one = (yield call(1)) as number
      const two = (yield call(2, heavy)) as number
      return one + two + ((yield call(3)) as number)
    }
    expect(drive(add(false), false)).toBe(6)
    const later = drive(add(true), false)
    expect(later).toBeInstanceOf(Promise)
    expect(await later).toBe(6)
    expect(await drive(add(false), true)).toBe(6)
  })

  test("sees the failure of a call, at once and later", async () => {
    const failing = (heavy: boolean) => ({
      now: () => {
        throw new Error("now")
      },
      later: () => Promise.reject(new Error("later")),
      heavy,
    })
    function* recover(heavy: boolean): Program<string> {
      try {
        yield failing(heavy)
        return "unreachable"
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(drive(recover(false), false)).toBe("now")
    expect(await drive(recover(true), false)).toBe("later")
  })
})

describe("on a remote file system, where no call may hold up the event loop", () => {
  let ground: FileGround
  beforeEach(() => {
    ground = createFileGround({ remote: true })
    mkdirSync(join(ground.root, "a/b"), { recursive: true })
    writeFileSync(join(ground.root, "a/b/file"), "one\ntwo\n")
  })
  afterEach(() => ground.close())

  test("files are read, listed and found", async () => {
    const file = await ground.files().open("a/b/file")
    expect(textOf(await file.read(0, 100))).toBe("one\ntwo\n")
    const window = await file.lines({ startLine: 1, maxLines: 5, maxBytes: 100, unit: "byte" })
    expect(textOf(window.bytes)).toBe("two\n")
    await file.close()
    expect((await ground.files().list("a", { maxEntries: 5 })).entries.map(({ name }) => name)).toEqual(["b"])
    expect(await ground.files().locate("a/b/file")).toMatchObject({ kind: "file" })
    expect(await ground.files().stat("none")).toBeUndefined()
    expect((await failureOf(ground.files().open("a/b/none"))).code).toBe("not_found")
  })

  test("files are written, updated and guarded in the same way", async () => {
    symlinkSync(ground.outside, join(ground.root, "out"))
    const files = ground.files()
    await files.write("new/deep", bytes("x"))
    await files.update("new/deep", { maxBytes: 100 }, (current) => bytes(`${textOf(current.bytes)}y`))
    expect(readFileSync(join(ground.root, "new/deep"), "utf8")).toBe("xy")
    expect((await failureOf(files.write("out/x", bytes("x")))).code).toBe("denied")
    expect(readdirSync(join(ground.root, "new"))).toEqual(["deep"])
  })
})
