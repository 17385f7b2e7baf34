import { structuredPatch } from "diff"
import fc from "fast-check"
import { expect, test } from "vitest"
import { diffTotals, hunkLines, readHunks, revertHunks, splitRows, unifiedHunks, withoutHunks } from "./hunks.js"

const hunk = { oldStart: 3, oldLines: 3, newStart: 3, newLines: 3, lines: [" a", "-b", "+B", " c"] }

test("lines have their numbers on both sides", () => {
  expect(hunkLines(hunk)).toEqual([
    { mark: "unchanged", text: "a", oldLine: 3, newLine: 3 },
    { mark: "removed", text: "b", oldLine: 4 },
    { mark: "added", text: "B", newLine: 4 },
    { mark: "unchanged", text: "c", oldLine: 5, newLine: 5 },
  ])
  expect(splitRows(hunkLines(hunk)).map(([old, now]) => [old?.text, now?.text])).toEqual([
    ["a", "a"],
    ["b", "B"],
    ["c", "c"],
  ])
  expect(diffTotals([hunk, hunk])).toEqual({ added: 2, removed: 2 })
})

test("data that is no diff gives no hunks", () => {
  for (const value of [undefined, null, 5, "x", {}, [null, 1, "x", {}, { lines: "no" }, { lines: [1, 2] }]]) {
    expect(readHunks(value)).toEqual([])
  }
})

test("a hunk of a unified diff can be left out", () => {
  const diff = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n@@ -9 +9 @@\n-nine\n+9\n"
  expect(unifiedHunks(diff).map(({ oldStart, lines }) => [oldStart, lines])).toEqual([
    [1, [" one", "-two", "+2"]],
    [9, ["-nine", "+9"]],
  ])
  expect(withoutHunks(diff, new Set([0]))).toBe("--- a\n+++ b\n@@ -9 +9 @@\n-nine\n+9\n")
  expect(withoutHunks(diff, new Set())).toBe(diff)
})

const text = fc
  .array(fc.constantFrom("a", "b", "c", "", "long line", "d"), { maxLength: 30 })
  .map((lines) => lines.map((line) => `${line}\n`).join(""))

test("taking back every hunk gives the old text, taking back none the new one", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const hunks = hunksOf(before, after)
      expect(revertHunks(after, hunks, new Set())).toBe(after)
      expect(revertHunks(after, hunks, new Set(hunks.keys()))).toBe(before)
    }),
    { numRuns: 1000 },
  )
})

test("taking back some hunks leaves the others: what then differs from the old text are exactly those", () => {
  fc.assert(
    fc.property(text, text, fc.nat(), (before, after, seed) => {
      const hunks = hunksOf(before, after)
      const places = new Set([...hunks.keys()].filter((index) => (seed >> (index % 8)) % 2 === 1))
      const { added, removed } = diffTotals(hunks.filter((_, index) => !places.has(index)))
      const result = revertHunks(after, hunks, places)
      expect(lineCount(result) - lineCount(before)).toBe(added - removed)
    }),
    { numRuns: 500 },
  )
})

function hunksOf(before: string, after: string) {
  const { hunks } = structuredPatch("", "", before, after, undefined, undefined, { context: 1 })
  // By the convention of unified diffs an empty side is numbered by the line before it.
  return hunks.map((each) => ({
    ...each,
    oldStart: each.oldStart - (each.oldLines === 0 ? 1 : 0),
    newStart: each.newStart - (each.newLines === 0 ? 1 : 0),
  }))
}

function lineCount(value: string): number {
  return value.split("\n").length
}
