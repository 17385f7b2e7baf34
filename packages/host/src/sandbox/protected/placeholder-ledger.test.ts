import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { placeholderLedger } from "./placeholder-ledger.js"

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "haft-placeholders-"))
  mkdirSync(join(base, "workspace"))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const name = () => join(base, "workspace", ".vscode")
const plan = () => ({ absent: [name()] })

test("a held name exists until the last of its holders gives it back", async () => {
  const ledger = placeholderLedger(join(base, "sandbox"))
  await Promise.all([ledger.hold(plan), ledger.hold(plan)])
  await ledger.release([name()])
  expect(existsSync(name())).toBe(true)
  await ledger.release([name()])
  expect(existsSync(name())).toBe(false)
  expect(readdirSync(join(base, "sandbox", "stubs"))).toEqual([])
})

test("a directory that is only held counts as absent for the next command", async () => {
  const ledger = placeholderLedger(join(base, "sandbox"))
  await ledger.hold(plan)
  let seen: boolean | undefined
  await ledger.hold((isPlaceholder) => {
    seen = isPlaceholder(name())
    return plan()
  })
  expect(seen).toBe(true)
  await ledger.release([name()])
  await ledger.release([name()])
})

test("what somebody put into a held directory stays", async () => {
  const ledger = placeholderLedger(join(base, "sandbox"))
  await ledger.hold(plan)
  writeFileSync(join(name(), "settings.json"), "{}")
  await ledger.release([name()])
  expect(readdirSync(name())).toEqual(["settings.json"])
})

test("another living process that holds the name keeps it there", async () => {
  const ledger = placeholderLedger(join(base, "sandbox"))
  // The parent of this process lives, and has a start time to be recognised by.
  const { stdout } = spawnSync("cut", ["-d", " ", "-f", "22", `/proc/${process.ppid}/stat`], { encoding: "utf8" })
  const list = join(base, "sandbox", "stubs", `${process.ppid}-${stdout.trim()}`)
  await ledger.hold(plan)
  writeFileSync(list, name())
  await ledger.release([name()])
  expect(existsSync(name())).toBe(true)
  await ledger.sweep()
  expect(existsSync(name())).toBe(true)
})

test("what a dead process left behind is swept, but only empty directories", async () => {
  const ledger = placeholderLedger(join(base, "sandbox"))
  const full = join(base, "workspace", ".idea")
  mkdirSync(name())
  mkdirSync(full)
  writeFileSync(join(full, "x"), "")
  writeFileSync(join(base, "sandbox", "stubs", "999999999-1"), [name(), full].join("\0"))
  await ledger.sweep()
  expect(readdirSync(join(base, "workspace"))).toEqual([".idea"])
  expect(readdirSync(join(base, "sandbox", "stubs"))).toEqual([])
})

test("a name whose directory cannot be made is left out", async () => {
  const ledger = placeholderLedger(join(base, "sandbox"))
  const impossible = join(base, "missing", ".vscode")
  expect(await ledger.hold(() => ({ absent: [impossible, name()] }))).toEqual({ absent: [name()] })
  await ledger.release([name()])
})

test("sixty holders at a time from one process end with an empty workspace", async () => {
  const ledger = placeholderLedger(join(base, "sandbox"))
  await Promise.all(
    Array.from({ length: 60 }, async () => {
      await ledger.hold(plan)
      expect(existsSync(name())).toBe(true)
      await ledger.release([name()])
    }),
  )
  expect(readdirSync(join(base, "workspace"))).toEqual([])
})
