import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type StubPool, stubPool } from "./stub-pool.js"

let base: string
let pool: StubPool
const at = (name: string) => join(base, "workspace", name)
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "haft-pool-"))
  mkdirSync(at("."))
  pool = stubPool(join(base, "ready"))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

test("directories are placed, taken away and placed again without being made anew", async () => {
  expect(pool.place([at("a"), at("b")])).toEqual([])
  const numbers = [at("a"), at("b")].map((path) => statSync(path).ino)
  await pool.remove([at("a"), at("b")])
  expect(readdirSync(at("."))).toEqual([])
  pool.place([at("c"), at("d")])
  expect([at("c"), at("d")].map((path) => statSync(path).ino).sort()).toEqual(numbers.sort())
})

test("what is there already stays the same directory", () => {
  mkdirSync(at("a"))
  const { ino } = statSync(at("a"))
  expect(pool.place([at("a")])).toEqual([])
  expect(statSync(at("a")).ino).toBe(ino)
})

test("a directory that somebody filled, a file and a missing name are left alone", async () => {
  pool.place([at("a")])
  writeFileSync(join(at("a"), "own"), "text")
  writeFileSync(at("file"), "text")
  await pool.remove([at("a"), at("file"), at("missing")])
  expect(readdirSync(at(".")).sort()).toEqual(["a", "file"])
  expect(readdirSync(at("a"))).toEqual(["own"])
  expect(readdirSync(join(base, "ready"))).toEqual([])
})

test("a place that cannot be made is named", () => {
  writeFileSync(at("file"), "text")
  const impossible = join(at("file"), "below")
  expect(pool.place([impossible, at("b")])).toEqual([impossible])
  expect(existsSync(at("b"))).toBe(true)
})
