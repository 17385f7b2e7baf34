import { appendFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openUsage } from "./open-usage.js"
import { noteUses } from "./use-log.js"

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-uses-"))
  file = join(folder, "launcher.json")
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const one = (id: string, lastUsed: number) => new Map([[id, { count: 1, lastUsed }]])

test("uses that other programs noted are counted by the next one that opens the file, once", async () => {
  noteUses(file, one("tool_read", 10))
  noteUses(file, one("tool_read", 20))
  const usage = openUsage(file, () => 30)
  await usage.refresh()
  expect(usage.uses.get("tool_read")).toEqual({ count: 2, lastUsed: 20 })
  await usage.close()
  expect(readdirSync(folder)).toEqual(["launcher.json"])
  const later = openUsage(file, () => 30)
  await later.refresh()
  expect(later.uses.get("tool_read")).toEqual({ count: 2, lastUsed: 20 })
})

test("a damaged line counts for nothing, and a folder that cannot be written fails nothing", async () => {
  noteUses(file, one("tool_read", 10))
  appendFileSync(`${file}.log`, '["tool_read"\n[1,2,3]\nnull\n{}\n')
  const usage = openUsage(file, () => 30)
  await usage.refresh()
  expect([...usage.uses.keys()]).toEqual(["tool_read"])
  expect(() => noteUses("/proc/nowhere/launcher.json", one("x", 1))).not.toThrow()
})
