import fc from "fast-check"
import { expect, test } from "vitest"
import { commitGraph } from "./commit-graph.js"

test("a merge is two lines that meet in the commit that both come from", () => {
  const rows = commitGraph(["merge", "main", "side", "first"], [["main", "side"], ["first"], ["first"], []])
  expect(rows).toEqual(["●", "● │", "│ ●", "●"])
})

test("commits that follow one another, or whose parents are not known, need no lines", () => {
  expect(commitGraph(["b", "a"], [["a"], []])).toBeUndefined()
  expect(commitGraph([], [])).toBeUndefined()
})

test("whatever the parents are, each commit is in its row once, and rows stay narrow", () => {
  const name = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz")
  fc.assert(
    fc.property(fc.array(name), fc.array(fc.array(name, { maxLength: 5 })), (commits, parents) => {
      const rows = commitGraph(commits, parents)
      for (const row of rows ?? []) {
        expect(row.length).toBeLessThan(24)
        expect(row.split("●").length).toBeLessThanOrEqual(2)
      }
      expect(rows?.length ?? commits.length).toBe(commits.length)
    }),
  )
})
