import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readdirSync, readFileSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { bytes, createFileGround, type FileGround, failureOf } from "../../../test/file-ground.js"
import { contentHash } from "../system/content-hash.js"
import { tempPattern } from "./temp-file.js"

let ground: FileGround
beforeEach(() => {
  ground = createFileGround()
})
afterEach(() => ground.close())
const at = (path: string) => join(ground.root, path)
const content = (path: string) => readFileSync(at(path), "utf8")

const repository = join(import.meta.dirname, "../../../../..")
function startChild(name: string) {
  const script = join(repository, "packages/host/test/child", name)
  const runner = join(repository, "scripts/run-ts.mjs")
  return spawn(process.execPath, [runner, script, ground.root, ground.historyFolder], {
    stdio: ["ignore", "pipe", "inherit"],
  })
}

describe("a process that is killed while it writes", () => {
  test("leaves the old content, and its temporary file is swept by a later write", async () => {
    writeFileSync(at("target"), "old")
    const child = startChild("write-huge.ts")
    while (!readdirSync(ground.root).some((name) => tempPattern.test(name))) await delay(2)
    child.kill("SIGKILL")
    await once(child, "exit")
    const left = readdirSync(ground.root).filter((name) => tempPattern.test(name))
    expect(left.length).toBe(1)
    expect(content("target")).toBe("old")
    const longAgo = Date.now() / 1000 - 120
    utimesSync(at(left[0]!), longAgo, longAgo)
    writeFileSync(at(".other.haft-000000000000"), "too young to be swept")
    // The dead process still holds the lock of the file; nobody waits for it.
    await ground.files().write("target", bytes("new"))
    expect(content("target")).toBe("new")
    expect(readdirSync(ground.root).sort()).toEqual([".other.haft-000000000000", "target"])
  })
})

describe("two processes that update one file", () => {
  test("lose no update", async () => {
    writeFileSync(at("counter"), "0")
    const children = [startChild("count-up.ts"), startChild("count-up.ts")]
    const outputs = await Promise.all(
      children.map(async (child) => {
        let output = ""
        child.stdout.on("data", (data) => {
          output += String(data)
        })
        await once(child, "close")
        return JSON.parse(output) as { done: number }
      }),
    )
    expect(outputs.map(({ done }) => done)).toEqual([200, 200])
    expect(content("counter")).toBe("400")
    expect(readdirSync(ground.root)).toEqual(["counter"])
  }, 120_000)
})

describe("a lock of another process", () => {
  const lockOf = (path: string) => join(ground.historyFolder, "locks", contentHash(bytes(at(path))).slice(0, 40))

  test("is waited for while that process lives, and ignored when it is dead", async () => {
    mkdirSync(join(ground.historyFolder, "locks"), { recursive: true })
    symlinkSync(`${process.ppid}:@${hostname()}`, lockOf("file"))
    const writing = ground.files().write("file", bytes("x"))
    const first = await Promise.race([writing.then(() => "written"), delay(50).then(() => "waiting")])
    expect(first).toBe("waiting")
    unlinkSync(lockOf("file"))
    await writing
    symlinkSync(`4194304:1@${hostname()}`, lockOf("file"))
    await ground.files().write("file", bytes("y"))
    // The same process id, but of a process that started at another time.
    symlinkSync(`${process.ppid}:1@${hostname()}`, lockOf("file"))
    await ground.files().write("file", bytes("z"))
    expect(content("file")).toBe("z")
  })

  test("is waited for no longer than the caller wants", async () => {
    mkdirSync(join(ground.historyFolder, "locks"), { recursive: true })
    symlinkSync(`${process.ppid}:@${hostname()}`, lockOf("file"))
    const abort = new AbortController()
    const writing = ground.files({ signal: abort.signal }).write("file", bytes("x"))
    setTimeout(() => abort.abort(), 20)
    expect((await failureOf(writing)).code).toBe("cancelled")
  })
})

describe("a full disk", () => {
  // A file system of one megabyte is mounted for this; that needs the superuser.
  const mountable = process.platform === "linux" && process.getuid?.() === 0 && canMount()

  test.skipIf(!mountable)("leaves the file as it was, no temporary file, and a clear error", async () => {
    mkdirSync(at("full"))
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", at("full")])
    try {
      await ground.files().write("full/file", bytes("old"))
      writeFileSync(at("full/filler"), Buffer.alloc(900_000))
      for (const size of [200_000, 900_000]) {
        const error = await failureOf(ground.files().write("full/file", Buffer.alloc(size)))
        expect(error).toMatchObject({ code: "backend", fix: expect.stringContaining("Free some space") })
        expect(content("full/file")).toBe("old")
        expect(readdirSync(at("full")).sort()).toEqual(["file", "filler"])
        await failureOf(ground.files().write("full/new/deep/file", Buffer.alloc(size)))
        expect(readdirSync(at("full")).sort()).toEqual(["file", "filler"])
      }
    } finally {
      execFileSync("umount", [at("full")])
    }
  })
})

describe("a write that fails", () => {
  const impossible = "n".repeat(300)

  test("leaves no parent folders that it had just made", async () => {
    await failureOf(ground.files().write(`new/deep/${impossible}`, bytes("x")))
    await failureOf(ground.files().write(`new/${impossible}/file`, bytes("x")))
    expect(readdirSync(ground.root)).toEqual([])
  })

  test("leaves folders that were there before, and what somebody else put into a new one", async () => {
    mkdirSync(at("old"))
    await failureOf(ground.files().write(`old/new/${impossible}`, bytes("x")))
    expect(readdirSync(at("old"))).toEqual([])
    const failing = failureOf(ground.files().write(`shared/${impossible}`, bytes("x")))
    const writing = ground.files().write("shared/file", bytes("y"))
    await Promise.allSettled([failing, writing])
    await ground.files().write("shared/file", bytes("z"))
    expect(content("shared/file")).toBe("z")
  })
})

function canMount(): boolean {
  try {
    execFileSync("unshare", ["--mount", "true"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}
