import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openJobDisk } from "../machine/boot-machine.js"
import { checkFiles, fileLimits } from "./check-files.js"
import { buildTar, jobArchive, jobDiskBytes } from "./job-archive.js"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-box-tar-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function unpack(archive: Uint8Array): void {
  execFileSync("tar", ["-xf", "-", "-C", folder, "--no-same-owner"], { input: archive })
}

function listing(archive: Uint8Array): readonly string[] {
  const list = execFileSync("tar", ["-tvf", "-", "--numeric-owner"], {
    input: archive,
    encoding: "utf8",
    env: { TZ: "UTC", PATH: process.env.PATH },
  })
  return list
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/\s+/g, " "))
}

test("the archive holds the command, the files of the command's user and the folders it needs", () => {
  const files = checkFiles({ "a.txt": "A", "/sandbox/deep/run.sh": "#!/bin/sh\n", "/etc/app/x": "X" })
  expect(listing(jobArchive({ command: "echo hi", files }, 86_400_000))).toEqual([
    "drwxr-xr-x 0/0 0 1970-01-02 00:00 run/box/",
    "-rw-r--r-- 0/0 7 1970-01-02 00:00 run/box/command",
    "drwxr-xr-x 1000/1000 0 1970-01-02 00:00 sandbox/",
    "drwxr-xr-x 1000/1000 0 1970-01-02 00:00 sandbox/deep/",
    "-rw-r--r-- 1000/1000 1 1970-01-02 00:00 work/a.txt",
    "-rwxr-xr-x 1000/1000 10 1970-01-02 00:00 sandbox/deep/run.sh",
    "-rw-r--r-- 1000/1000 1 1970-01-02 00:00 etc/app/x",
  ])
})

test("any name and any content comes out as it went in", () => {
  const name = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
    .map((text) => `f${text.replaceAll(/[/\0-\x1f\x7f]/g, "_")}`)
    .filter((text) => text.isWellFormed() && Buffer.byteLength(text) < 200)
  fc.assert(
    fc.property(
      fc.array(name, { minLength: 1, maxLength: 4 }),
      fc.uint8Array({ maxLength: 2000 }),
      (names, content) => {
        const path = names.join("/")
        unpack(buildTar([{ path, kind: "file", mode: 0o644, owner: 1000, content }]))
        expect(new Uint8Array(readFileSync(join(folder, path)))).toEqual(content)
        rmSync(join(folder, names[0]!), { recursive: true, force: true })
      },
    ),
    { numRuns: 40 },
  )
})

test("an archive that does not fit on the disk is refused", () => {
  const deep = Array.from({ length: fileLimits.count }, (_, index) => [`/x${index}/${"d/".repeat(20)}f`, ""])
  expect(() => jobArchive({ command: "true", files: checkFiles(Object.fromEntries(deep)) })).toThrow("do not fit")
})

test("the disk has no name, its size is always the same, and it cannot be written", async () => {
  const handle = await openJobDisk(Buffer.from("content"))
  try {
    const { size, nlink } = await handle.stat()
    expect({ size, nlink }).toEqual({ size: jobDiskBytes, nlink: 0 })
    expect(Buffer.from((await handle.read(Buffer.alloc(9), 0, 9, 0)).buffer).toString()).toBe("content\0\0")
    await expect(handle.write("x")).rejects.toThrow("EBADF")
  } finally {
    await handle.close()
  }
  expect(statSync(folder).isDirectory()).toBe(true)
})
