import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterEach, beforeEach, expect, test } from "vitest"
import { withLock } from "./lock.js"

const runner = fileURLToPath(new URL("../../../../scripts/run-ts.mjs", import.meta.url))
const contender = fileURLToPath(new URL("./testing/contend-for-lock.ts", import.meta.url))
const options = { action: "try", patienceMs: 5000, pauseMs: 5 }
const canLock = process.platform !== "win32"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-lock-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

test.skipIf(!canLock)("several processes never hold it at once, though holders die all the time", async () => {
  const contend = () =>
    promisify(execFile)(process.execPath, [runner, contender, join(folder, "a"), join(folder, "in")])
  const ends = await Promise.all([contend(), contend(), contend()])
  expect(ends.map(({ stdout }) => stdout)).toEqual(["0\n", "0\n", "0\n"])
})

test.skipIf(!canLock)(
  "what a process left that died while it removed a dead lock does not block, and nothing is left",
  async () => {
    const lock = join(folder, "a")
    for (const name of [lock, `${lock}.dead`]) symlinkSync("4194304-1", name)
    expect(await withLock(lock, options, () => "done")).toBe("done")
    expect(readdirSync(folder)).toEqual([])
  },
)
