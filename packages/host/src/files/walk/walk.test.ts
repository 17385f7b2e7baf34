import { execFileSync } from "node:child_process"
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { bytes, createFileGround, type FileGround, failureOf, textOf } from "../../../test/file-ground.js"
import { linuxWalk } from "./linux/index.js"
import { openRoot } from "./open-root.js"
import { portableWalk } from "./portable/index.js"

const variants = { linux: linuxWalk, portable: portableWalk }
const usable = Object.entries(variants).filter(([name]) => name !== "linux" || process.platform === "linux")

describe.each(usable)("the %s walk", (_, walk) => {
  let ground: FileGround
  beforeEach(() => {
    ground = createFileGround({ walk })
    mkdirSync(join(ground.root, "a/b"), { recursive: true })
    writeFileSync(join(ground.root, "a/b/file.txt"), "inside")
    writeFileSync(join(ground.outside, "file.txt"), "outside")
  })
  afterEach(() => ground.close())
  const read = async (path: string) => textOf((await ground.files().open(path)).whole)

  test("reads a file by relative and by absolute path", async () => {
    expect(await read("a/b/file.txt")).toBe("inside")
    expect(await read(join(ground.root, "a/b/file.txt"))).toBe("inside")
    expect(await read("./a/../a//b/file.txt")).toBe("inside")
  })

  test("follows links that stay inside, and judges where they lead", async () => {
    symlinkSync("b/file.txt", join(ground.root, "a/relative"))
    symlinkSync(join(ground.root, "a"), join(ground.root, "absolute"))
    symlinkSync("../a/./b/../b", join(ground.root, "a/crooked"))
    expect(await read("a/relative")).toBe("inside")
    expect(await read("absolute/relative")).toBe("inside")
    expect(await read("a/crooked/file.txt")).toBe("inside")
    const judged: string[] = []
    const files = ground.files({ grant: { admits: (_kind, path) => judged.push(path) > 0 } })
    expect((await files.open("absolute/relative")).path).toBe(join(ground.root, "a/b/file.txt"))
    expect(judged).toEqual([join(ground.root, "a/b/file.txt")])
  })

  test("refuses links that lead out, on every way in", async () => {
    symlinkSync("../outside/file.txt", join(ground.root, "file-link"))
    symlinkSync(ground.outside, join(ground.root, "folder-link"))
    symlinkSync("folder-link", join(ground.root, "second-link"))
    symlinkSync("../outside/new.txt", join(ground.root, "dangling"))
    const files = ground.files()
    for (const path of ["file-link", "folder-link/file.txt", "second-link/file.txt", "dangling"]) {
      for (const work of [
        () => files.open(path),
        () => files.readAll(path, { maxBytes: 1000 }),
        () => files.stat(path),
        () => files.list(path, { maxEntries: 10 }),
        () => files.write(path, bytes("x")),
        () => files.update(path, { maxBytes: 1000 }, () => bytes("x")),
      ]) {
        const error = await failureOf(work())
        expect(error.code).toBe("denied")
        expect(error.message).toMatch(/link ".*" leads outside the workspace/)
      }
    }
    expect((await failureOf(files.write("folder-link/new/deep.txt", bytes("x")))).code).toBe("denied")
    expect(execFileSync("ls", [ground.outside], { encoding: "utf8" })).toBe("file.txt\n")
  })

  test("a path that leads out of the root by .. is denied", async () => {
    for (const path of ["../outside/file.txt", "a/../../outside/file.txt", "/etc/passwd", `${ground.root}-other`]) {
      expect((await failureOf(ground.files().open(path))).code).toBe("denied")
      expect((await failureOf(ground.files().write(path, bytes("x")))).code).toBe("denied")
    }
  })

  test("links in a circle are an error, not an endless loop", async () => {
    symlinkSync("two", join(ground.root, "one"))
    symlinkSync("one", join(ground.root, "two"))
    expect((await failureOf(ground.files().open("one"))).code).toBe("unsupported")
    expect((await failureOf(ground.files().write("one/x", bytes("x")))).code).toBe("unsupported")
  })

  test.each([
    ["a NUL", "a\0b", "denied"],
    ["an empty path", "", "invalid_args"],
    ["a name that is too long", "n".repeat(300), "unsupported"],
  ])("%s is refused", async (_, path, code) => {
    expect((await failureOf(ground.files().open(path))).code).toBe(code)
    expect((await failureOf(ground.files().write(path, bytes("x")))).code).toBe(code)
  })

  test("a directory, a FIFO, a socket and a device are unsupported and never block", async () => {
    execFileSync("mkfifo", [join(ground.root, "fifo")])
    const server = createServer().listen(join(ground.root, "socket"))
    await new Promise((resolve) => server.once("listening", resolve))
    const odd = ["a", "fifo", "socket"]
    if (process.getuid?.() === 0) {
      execFileSync("mknod", [join(ground.root, "device"), "c", "1", "5"])
      odd.push("device")
    }
    for (const path of odd) {
      for (const work of [
        () => ground.files().open(path),
        () => ground.files().readAll(path, { maxBytes: 1000 }),
        () => ground.files().write(path, bytes("x")),
        () => ground.files().update(path, { maxBytes: 1000 }, () => bytes("x")),
      ]) {
        expect((await failureOf(work())).code).toBe("unsupported")
      }
    }
    server.close()
  })

  test("a file in the place of a directory is not found, and says so", async () => {
    const error = await failureOf(ground.files().open("a/b/file.txt/deeper"))
    expect(error.code).toBe("not_found")
    expect(error.message).toContain("is not a directory")
  })

  test("a root that was replaced is a conflict", async () => {
    renameSync(ground.root, `${ground.root}-moved`)
    expect((await failureOf(ground.files().open("a/b/file.txt"))).code).toBe("conflict")
    mkdirSync(join(ground.root, "a/b"), { recursive: true })
    writeFileSync(join(ground.root, "a/b/file.txt"), "another tree")
    for (const work of [
      () => ground.files().open("a/b/file.txt"),
      () => ground.files().list(".", { maxEntries: 10 }),
      () => ground.files().write("new.txt", bytes("x")),
    ]) {
      const error = await failureOf(work())
      expect(error.code).toBe("conflict")
      expect(error.message).toContain("was replaced")
    }
    rmSync(`${ground.root}-moved`, { recursive: true })
  })

  test("strange but legal names work", async () => {
    for (const name of [
      "with space",
      "-rf",
      "new\nline",
      "日本語.txt",
      "a (deleted)",
      "%s",
      "x".repeat(255),
      "...",
      "~",
    ]) {
      await ground.files().write(`strange/${name}`, bytes(name))
      expect(await read(`strange/${name}`)).toBe(name)
    }
  })

  test("no spelling of a path reaches a file outside", async () => {
    symlinkSync(ground.outside, join(ground.root, "out"))
    symlinkSync("..", join(ground.root, "up"))
    symlinkSync(".", join(ground.root, "self"))
    symlinkSync("../../outside", join(ground.root, "a/far"))
    const part = fc.constantFrom("..", ".", "", "a", "b", "out", "up", "self", "far", "outside", "root", "file.txt")
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 8 }), fc.boolean(), async (parts, absolute) => {
        const path = absolute ? `${ground.root}/x/../${parts.join("/")}` : parts.join("/") || "."
        const content = await read(path).catch(() => "refused")
        expect(["inside", "refused"]).toContain(content)
      }),
      { numRuns: 300 },
    )
  })
})

test("a root is opened by any spelling, and paths may use that spelling", async () => {
  const ground = createFileGround()
  try {
    symlinkSync(ground.root, join(ground.outside, "alias"))
    writeFileSync(join(ground.root, "file.txt"), "inside")
    const root = openRoot(join(ground.outside, "alias"))
    expect(root.path).toBe(ground.root)
    root.close()
    const opened = await ground.files().open(join(ground.outside, "alias/file.txt"))
    expect(opened.path).toBe(join(ground.root, "file.txt"))
  } finally {
    ground.close()
  }
})

test("a missing root is not_found, a file as root is unsupported", () => {
  const ground = createFileGround()
  try {
    writeFileSync(join(ground.root, "file.txt"), "")
    expect(() => openRoot(join(ground.root, "none"))).toThrow(expect.objectContaining({ code: "not_found" }))
    expect(() => openRoot(join(ground.root, "file.txt"))).toThrow(expect.objectContaining({ code: "unsupported" }))
  } finally {
    ground.close()
  }
})
