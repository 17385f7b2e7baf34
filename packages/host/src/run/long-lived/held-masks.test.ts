import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { watchMasks } from "../../sandbox/masks/with-standing-masks.js"
import { assertNotMasked, holdMasks } from "./held-masks.js"

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-masks-")))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const words = { action: "write", shown: "x" }

test("what is held cannot be replaced, nor a folder above it, until it is given back as often as it was held", () => {
  const [first, second] = [holdMasks(["/w/a/.env"]), holdMasks(["/w/a/.env"])]
  for (const path of ["/w/a/.env", "/w/a"]) {
    expect(() => assertNotMasked(path, words)).toThrow(expect.objectContaining({ code: "conflict" }))
  }
  for (const path of ["/w/a/.env.example", "/w/a/.env/inside", "/w/b"]) assertNotMasked(path, words)
  first()
  expect(() => assertNotMasked("/w/a/.env", words)).toThrow()
  second()
  assertNotMasked("/w/a/.env", words)
})

test("a change is noticed once, also below a folder that was itself replaced", async () => {
  mkdirSync(join(root, "a/b"), { recursive: true })
  let lost = false
  let told = 0
  let looks = 0
  const stop = watchMasks({
    targets: [join(root, "a/b/.env")],
    roots: [root],
    isLost: () => {
      looks += 1
      return lost
    },
    onLost: () => {
      told += 1
    },
  })
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  renameSync(join(root, "a"), join(root, "old"))
  mkdirSync(join(root, "a/b"), { recursive: true })
  await until(() => looks > 0)
  const before = looks
  lost = true
  writeFileSync(join(root, "a/b/.env"), "")
  await until(() => told > 0)
  expect(looks).toBeGreaterThan(before)
  writeFileSync(join(root, "a/b/.env"), "again")
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(told).toBe(1)
  stop()
})
