import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { bytes, createFileGround, type FileGround, failureOf, textOf } from "../../../test/file-ground.js"
import { contentHash } from "../system/content-hash.js"

let ground: FileGround
beforeEach(() => {
  ground = createFileGround()
  mkdirSync(join(ground.root, "src/deep"), { recursive: true })
  writeFileSync(join(ground.root, "src/index.ts"), "export {}\n")
})
afterEach(() => ground.close())
const put = (path: string, content: string | Buffer) => writeFileSync(join(ground.root, path), content)

describe("open", () => {
  test("gives the whole of a small file, and parts of it", async () => {
    const file = await ground.files().open("src/index.ts")
    expect(textOf(file.whole)).toBe("export {}\n")
    expect(file).toMatchObject({ path: join(ground.root, "src/index.ts"), kind: "file", size: 10 })
    expect(textOf(await file.read(7, 100))).toBe("{}\n")
    expect(ground.effects).toEqual([{ kind: "fs.read", path: join(ground.root, "src/index.ts") }])
  })

  test("reads a large file piece by piece, never past its end", async () => {
    const content = Buffer.alloc(600_000, "0123456789")
    put("large", content)
    const file = await ground.files().open("large")
    expect(file.whole).toBeUndefined()
    expect(Buffer.compare(await file.read(0, 1e9), content)).toBe(0)
    expect(textOf(await file.read(599_995, 100))).toBe("56789")
    expect((await file.read(700_000, 5)).length).toBe(0)
    await file.close()
    expect((await failureOf(file.read(0, 5))).code).toBe("internal")
  })

  test("asks the grant with the resolved path at the moment of opening", async () => {
    symlinkSync("src/index.ts", join(ground.root, "link"))
    const denied = ground.files({ grant: { admits: (_, path) => !path.endsWith("index.ts") } })
    for (const path of ["src/index.ts", "link", "./src/../src/index.ts"]) {
      expect((await failureOf(denied.open(path))).code).toBe("denied")
      expect((await failureOf(denied.readAll(path, { maxBytes: 100 }))).code).toBe("denied")
      expect((await failureOf(denied.stat(path))).code).toBe("denied")
    }
    expect(ground.effects).toEqual([])
  })

  test("leaves no descriptor open, whatever happens", async () => {
    const before = readdirSync("/proc/self/fd").length
    const abort = new AbortController()
    put("large", Buffer.alloc(600_000))
    const files = ground.files({ signal: abort.signal })
    await files.open("large")
    await files.open("src/index.ts")
    await files.list("src", { maxEntries: 10 })
    for (const path of ["none", "src", "none/none", "/etc/passwd"]) await failureOf(files.open(path))
    await files.write("src/new/deep.txt", bytes("x"))
    await failureOf(
      files.update("src/index.ts", { maxBytes: 100 }, () => {
        throw new Error("the tool gave up")
      }),
    ).catch(() => undefined)
    abort.abort()
    expect((await failureOf(files.open("src/index.ts"))).code).toBe("cancelled")
    expect(readdirSync("/proc/self/fd").length).toBe(before)
  })

  test("a thousand reads at once all succeed and let timers run in between", async () => {
    let turns = 0
    let running = true
    const tick = () => {
      turns++
      if (running) setImmediate(tick)
    }
    setImmediate(tick)
    const read = Array.from({ length: 1000 }, () => ground.files().open("src/index.ts"))
    for (const file of await Promise.all(read)) expect(file.size).toBe(10)
    running = false
    expect(turns).toBeGreaterThan(2)
  })

  // The superuser may read everything.
  test.skipIf(process.getuid?.() === 0)(
    "an unreadable file is denied by the operating system, and the message says so",
    async () => {
      put("locked", "x")
      chmodSync(join(ground.root, "locked"), 0o000)
      const error = await failureOf(ground.files().open("locked"))
      expect(error).toMatchObject({ code: "denied", message: expect.stringContaining("operating system") })
    },
  )
})

describe("readAll", () => {
  test("gives content and hash", async () => {
    const content = await ground.files().readAll("src/index.ts", { maxBytes: 10 })
    expect(textOf(content.bytes)).toBe("export {}\n")
    expect(content.hash).toBe(contentHash(bytes("export {}\n")))
  })

  test("[C2-31] [C2-32] content above the limit is too_large, with sizes, for read and update alike", async () => {
    for (const work of [
      () => ground.files().readAll("src/index.ts", { maxBytes: 9 }),
      () => ground.files().update("src/index.ts", { maxBytes: 9 }, (current) => current.bytes),
    ]) {
      const error = await failureOf(work())
      expect(error.code).toBe("too_large")
      expect(error.message).toMatch(/has 10 bytes and the limit is 9/)
    }
  })
})

describe("a missing path", () => {
  const messageFor = async (path: string, grant = {}) => (await failureOf(ground.files({ grant }).open(path))).message

  test("names near names: a slip, another case, another directory, a slip in a directory", async () => {
    put("README.md", "")
    put("src/deep/worker.ts", "")
    expect(await messageFor("src/indx.ts")).toContain('did you mean "src/index.ts"')
    expect(await messageFor("readme.md")).toContain('"README.md"')
    expect(await messageFor("src/worker.ts")).toContain('"src/deep/worker.ts"')
    expect(await messageFor("scr/index.ts")).toContain('"src/index.ts"')
    expect(await messageFor("src/deep/index.ts")).toContain('"src/index.ts"')
    expect(await messageFor("zzz/qqq")).toBe('Cannot read "zzz/qqq": it does not exist')
  })

  test("shows a line break in a near name as such", async () => {
    put("note\nbook", "")
    expect(await messageFor("notebook")).toContain('did you mean "note\\nbook"?')
  })

  test("names at most three, and none that the call may not read", async () => {
    for (const name of ["note1", "note2", "note3", "note4", "note5"]) put(name, "")
    expect((await messageFor("note")).match(/"note\d"/g)?.length).toBe(3)
    expect(await messageFor("note", { admits: () => false })).not.toContain("did you mean")
  })

  test("is undefined for stat and an error for list", async () => {
    expect(await ground.files().stat("none")).toBeUndefined()
    expect(await ground.files().stat("none/deeper")).toBeUndefined()
    expect((await failureOf(ground.files().list("none", { maxEntries: 1 }))).code).toBe("not_found")
  })
})

describe("list", () => {
  test("is sorted, tells types, counts what is denied and does not follow links", async () => {
    put("b.txt", "12345")
    put(".hidden", "")
    put("secret.env", "")
    symlinkSync("/etc", join(ground.root, "link"))
    const files = ground.files({ grant: { admits: (_, path) => !path.endsWith("secret.env") } })
    const listing = await files.list(".", { maxEntries: 100 })
    expect(listing.entries.map(({ name, type, size }) => [name, type, type === "file" ? size : 0])).toEqual([
      [".hidden", "file", 0],
      ["b.txt", "file", 5],
      ["link", "link", 0],
      ["src", "directory", 0],
    ])
    expect(listing).toMatchObject({ complete: true, denied: 1, path: ground.root })
  })

  test("stops at the wanted number and says so", async () => {
    for (let index = 0; index < 300; index++) put(`n${String(index).padStart(3, "0")}`, "")
    const listing = await ground.files().list(".", { maxEntries: 200 })
    expect(listing.entries.length).toBe(200)
    expect(listing.entries.at(-1)?.name).toBe("n199")
    expect(listing.complete).toBe(false)
  })

  test("of a file is unsupported", async () => {
    expect((await failureOf(ground.files().list("src/index.ts", { maxEntries: 1 }))).code).toBe("unsupported")
  })
})

describe("locate", () => {
  test("resolves links, also dangling ones and ones that lead out, and tells the kind", async () => {
    symlinkSync("src", join(ground.root, "link"))
    symlinkSync("/etc", join(ground.root, "out"))
    symlinkSync("nothing/here", join(ground.root, "dangling"))
    const { files } = ground
    expect(await files().locate("link/index.ts")).toEqual({
      spelled: "link/index.ts",
      absolute: join(ground.root, "link/index.ts"),
      resolved: join(ground.root, "src/index.ts"),
      kind: "file",
    })
    expect(await files().locate("out/passwd")).toMatchObject({ resolved: "/etc/passwd", kind: "file" })
    expect(await files().locate("link/new/file")).toMatchObject({
      resolved: join(ground.root, "src/new/file"),
      kind: "missing",
    })
    expect(await files().locate("dangling")).toMatchObject({
      resolved: join(ground.root, "nothing/here"),
      kind: "missing",
    })
    expect(await files().locate(".")).toMatchObject({ resolved: ground.root, kind: "directory" })
  })

  test("what cannot be looked at is no device: opening it says what is wrong", async () => {
    symlinkSync("circle", join(ground.root, "circle"))
    const troubles = [
      ["circle", "its links lead in a circle"],
      ["src/index.ts/below", "is not a directory"],
      ["x".repeat(300), "its name is too long"],
    ] as const
    for (const [path, words] of troubles) {
      expect(await ground.files().locate(path)).toMatchObject({ kind: "missing" })
      expect((await failureOf(ground.files().readAll(path, { maxBytes: 10 }))).message).toContain(words)
    }
  })

  test("paths are shown relative to the working directory where they are inside it", () => {
    const files = ground.files()
    expect(files.display(join(ground.root, "src/index.ts"))).toBe("src/index.ts")
    expect(files.display("src/../src/index.ts")).toBe("src/index.ts")
    expect(files.display(ground.root)).toBe(".")
    expect(files.display(ground.outside)).toBe(ground.outside)
  })
})
