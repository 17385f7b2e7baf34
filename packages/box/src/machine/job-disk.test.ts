import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readlinkSync, rmdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { jobDiskBytes } from "../job/job-archive.js"
import { openJobDisk } from "../machine/boot-machine.js"
import { refusalOf } from "../testing/test-container.js"

const before = process.env.TMPDIR
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-job-disk-"))
  process.env.TMPDIR = folder
})
afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  rmSync(folder, { recursive: true, force: true })
})

/** Files of that folder that this process holds open. */
function openFiles(): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`)
      return path.startsWith(folder) ? [path] : []
    } catch {
      return []
    }
  })
}

test("a disk has no name, one size and its content", async () => {
  const disk = await openJobDisk(new TextEncoder().encode("content"))
  const { size } = await disk.stat()
  const { buffer } = await disk.read(Buffer.alloc(7), 0, 7, 0)
  await disk.close()
  expect({ size, text: buffer.toString(), left: readdirSync(folder) }).toEqual({
    ...{ size: jobDiskBytes, text: "content", left: [] },
  })
})

test("a folder that cannot be written is a failure that says what to do", async () => {
  process.env.TMPDIR = join(folder, "missing")
  const { code, message, details } = await refusalOf(openJobDisk(new Uint8Array(1)))
  expect({ code, details }).toEqual({ code: "not_found", details: { ok: false, reason: "BOX_CRASHED", ran: false } })
  expect(message).toBe(`Cannot put what the box needs into "${folder}/missing": it does not exist`)
})

describe.skipIf(process.getuid?.() !== 0)("on a disk that is full", () => {
  let small: string
  beforeEach(() => {
    small = mkdtempSync(join(folder, "small-"))
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "none", small])
    process.env.TMPDIR = small
  })
  afterEach(() => {
    execFileSync("umount", [small])
    rmdirSync(small)
  })

  test("it is a failure of the host, and nothing stays open or on the disk", async () => {
    const { code, message, fix, details } = await refusalOf(openJobDisk(new Uint8Array(2 * 1024 * 1024)))
    expect({ code, fix, details }).toEqual({
      ...{ code: "backend", fix: "Free some space" },
      details: { ok: false, reason: "BOX_CRASHED", ran: false },
    })
    expect(message).toBe(`Cannot put what the box needs into "${small}": no space is left on the device`)
    expect({ left: readdirSync(small), open: openFiles() }).toEqual({ left: [], open: [] })
  })
})
