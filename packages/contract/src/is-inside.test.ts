import fc from "fast-check"
import { expect, test } from "vitest"
import { isBelow, isInside } from "./is-inside.js"

test.each([
  ["/a/b", "/a", true],
  ["/a", "/a", true],
  ["/a/b/c", "/a", true],
  ["/ab", "/a", false],
  ["/a", "/a/b", false],
  ["/", "/", true],
  ["/a", "/", true],
  ["/a", "/b", false],
  ["/a\\b", "/a", false],
  ["/a b/c", "/a b", true],
  ["/A/b", "/a", false],
  ["/ä/b", "/ä", true],
  ["src/a", "src", true],
  ["src\\a", "src", false],
  ["srca", "src", false],
  ["C:\\a\\b", "C:\\a", true],
  ["C:\\ab", "C:\\a", false],
  ["C:\\a", "C:\\", true],
  ["C:\\a/b", "C:\\a", false],
  ["\\\\server\\share\\x", "\\\\server\\share", true],
])("%j in %j: %j", (path, folder, expected) => {
  expect(isInside(path, folder)).toBe(expected)
  expect(isBelow(path, folder)).toBe(expected && path !== folder)
})

test("it agrees with a comparison of the parts", () => {
  const parts = fc.array(fc.constantFrom("a", "ab", "b", "a\\b", " ", "..."), { maxLength: 4 })
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      const inside = other.every((part, index) => one[index] === part)
      expect(isInside(`/${one.join("/")}`, `/${other.join("/")}`)).toBe(inside)
    }),
  )
})
