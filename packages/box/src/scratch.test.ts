import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { openJobDisk } from "./machine/boot-machine.js"

const before = process.env.TMPDIR
const folder = mkdtempSync(join(tmpdir(), "haft-scratch-"))
process.env.TMPDIR = folder
afterAll(() => {
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  rmSync(folder, { recursive: true, force: true })
})

test("what a killed process left is removed by the next machine; what a living one has stays", async () => {
  const dead = spawnSync(process.execPath, ["-e", "0"]).pid
  const left = join(folder, `haft-box-${dead}-${"0".repeat(32)}`)
  const ours = join(folder, `haft-box-${process.pid}-${"0".repeat(32)}`)
  const foreign = join(folder, `haft-box-${dead}-notes`)
  mkdirSync(left)
  writeFileSync(join(left, "kvm"), "")
  for (const path of [ours, foreign]) writeFileSync(path, "")
  await (await openJobDisk(new Uint8Array(1))).close()
  expect([left, ours, foreign].map((path) => existsSync(path))).toEqual([false, true, true])
})
