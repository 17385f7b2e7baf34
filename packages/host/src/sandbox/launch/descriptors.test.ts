import { closeSync, mkdtempSync, readdirSync, readFileSync, readSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { openTmpfile } from "./descriptors.js"

const folders = [mkdtempSync(join(tmpdir(), "haft-nameless-")), mkdtempSync("/dev/shm/haft-nameless-")]
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

test.each(folders)("a file without a name in %s is read from its beginning and leaves nothing", (folder) => {
  const descriptor = openTmpfile(folder, "first\0second\0")
  expect(readdirSync(folder)).toEqual([])
  expect(readFileSync(descriptor, "utf8")).toBe("first\0second\0")
  closeSync(descriptor)
})

test("what another process writes to it can be read back", () => {
  const descriptor = openTmpfile(folders[0]!)
  writeSync(descriptor, "one\n")
  writeSync(descriptor, "two\n")
  const bytes = Buffer.alloc(100)
  expect(bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, 100, 0))).toBe("one\ntwo\n")
  closeSync(descriptor)
})
