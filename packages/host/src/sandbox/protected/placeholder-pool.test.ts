import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type PlaceholderPool, placeholderPool } from "./placeholder-pool.js"

let base: string
let pool: PlaceholderPool
const at = (name: string) => join(base, "workspace", name)
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "haft-pool-"))
  mkdirSync(at("."))
  pool = placeholderPool(join(base, "ready"))
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

test("nothing is made or taken away where a link leads to that is in the place of a folder", async () => {
  const [outside, exchanged] = [join(base, "outside"), at("exchanged")]
  mkdirSync(join(outside, "own"), { recursive: true })
  mkdirSync(join(outside, "below", "own"), { recursive: true })
  symlinkSync(outside, exchanged)
  const names = ["made", "own", "below/made", "below/own"].map((name) => join(exchanged, name))
  expect(pool.place(names)).toEqual(names)
  await pool.remove(names)
  expect(readdirSync(outside, { recursive: true }).sort()).toEqual(["below", "below/own", "own"])
})

test("a folder that is exchanged while its names are held keeps what is where the link leads to", async () => {
  const outside = join(base, "outside")
  mkdirSync(join(outside, ".codex"), { recursive: true })
  mkdirSync(at("repository"))
  expect(pool.place([at("repository/.codex")])).toEqual([])
  rmSync(at("repository"), { recursive: true })
  symlinkSync(outside, at("repository"))
  await pool.remove([at("repository/.codex")])
  expect(readdirSync(outside)).toEqual([".codex"])
})
