import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { bestEffort, ignoreMissing } from "./silent.js"

const folder = mkdtempSync(join(tmpdir(), "haft-silent-"))
const present = join(folder, "present")
writeFileSync(present, "text")
afterAll(() => rmSync(folder, { recursive: true }))

const paths = [
  { path: present, answer: "text" },
  { path: join(folder, "absent"), answer: undefined },
  { path: join(present, "below-a-file"), answer: undefined },
]

test.each(paths)("ignoreMissing answers $answer in each of its forms", async ({ path, answer }) => {
  expect(ignoreMissing(() => readFileSync(path, "utf8"))).toBe(answer)
  expect(await ignoreMissing(() => readFile(path, "utf8"))).toBe(answer)
  expect(await ignoreMissing(readFile(path, "utf8"))).toBe(answer)
})

test("ignoreMissing throws every other failure on", async () => {
  expect(() => ignoreMissing(() => readFileSync(folder))).toThrow("EISDIR")
  await expect(ignoreMissing(() => readFile(folder))).rejects.toThrow("EISDIR")
  await expect(ignoreMissing(readFile(folder))).rejects.toThrow("EISDIR")
  expect(() => ignoreMissing(() => JSON.parse("{"))).toThrow(SyntaxError)
})

test("bestEffort answers the value, and undefined after any failure", async () => {
  const reason = "a test may lose it"
  expect(bestEffort(reason, () => 3)).toBe(3)
  expect(await bestEffort(reason, async () => 3)).toBe(3)
  expect(bestEffort(reason, () => readFileSync(folder))).toBeUndefined()
  expect(await bestEffort(reason, () => readFile(folder))).toBeUndefined()
  expect(await bestEffort(reason, Promise.reject(new Error("any")))).toBeUndefined()
  expect(
    bestEffort(reason, () => {
      throw "not an error"
    }),
  ).toBeUndefined()
})

test("bestEffort hands on what the action is called with, and loses its failures too", async () => {
  const reason = "a test may lose it"
  const given: number[] = []
  bestEffort(reason, (value: number) => given.push(value), 3)
  bestEffort(
    reason,
    (value: number) => {
      throw new Error(`${value}`)
    },
    4,
  )
  bestEffort(reason, async (value: number) => Promise.reject(new Error(`${value}`)), 5)
  await new Promise((resolve) => setImmediate(resolve))
  expect(given).toEqual([3])
})
