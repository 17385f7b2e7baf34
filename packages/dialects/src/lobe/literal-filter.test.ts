import { ToolError } from "@haft/contract"
import { expect, test } from "vitest"
import { literalFilter } from "./command-rows.js"

test("a filter is the text that a simple expression looks for", () => {
  expect(literalFilter("error")).toBe("error")
  expect(literalFilter(".*a\\.b\\(.*")).toBe("a.b(")
  expect(literalFilter(".*")).toBeUndefined()
  expect(literalFilter(undefined)).toBeUndefined()
  for (const pattern of ["a|b", "^a", "\\d+", "[ab]", "a{2}"]) expect(() => literalFilter(pattern)).toThrow(ToolError)
})
