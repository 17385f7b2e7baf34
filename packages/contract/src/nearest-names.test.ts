import fc from "fast-check"
import { expect, test } from "vitest"
import { nearestNames } from "./nearest-names.js"

const ids = ["read", "write", "edit", "glob", "grep", "web_fetch", "web_search", "notebook_edit"]

test("a misspelt name finds the one that was meant", () => {
  expect(nearestNames("raed", ids)).toContain("read")
  expect(nearestNames("Grep", ids)[0]).toBe("grep")
  expect(nearestNames("webfetch", ids)[0]).toBe("web_fetch")
})

test("a name that is like none of them finds nothing", () => {
  expect(nearestNames("zzzzzzzz", ids)).toEqual([])
  expect(nearestNames("", ids)).toEqual([])
})

test("any name at all gives at most three of the candidates", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2000 }), (name) => {
      const near = nearestNames(name, ids)
      expect(near.length).toBeLessThanOrEqual(3)
      for (const id of near) expect(ids).toContain(id)
    }),
  )
})
