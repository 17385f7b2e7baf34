import fc from "fast-check"
import { expect, test } from "vitest"
import { drawTree } from "./draw-tree.js"

const folder = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}/f${index}.ts`)

test("a large folder stays closed with its count, and small ones beside it are still shown", () => {
  const paths = [...Array.from({ length: 300 }, (_, index) => `big/part${index}/x.ts`), ...folder("small", 2)]
  expect(drawTree(paths)).toBe("big/ (300)\nsmall/ (2)\n  f0.ts\n  f1.ts")
})

test("a flat folder shows its first files and how many follow", () => {
  const lines = drawTree(folder("many", 500)).split("\n")
  expect(lines[0]).toBe("many/ (500)")
  expect(lines).toHaveLength(22)
  expect(lines.at(-1)).toBe("  ... 480 more files")
})

test("depth ends somewhere", () => {
  const tree = drawTree(["a/b/c/d/e/f/g/h.ts"])
  expect(tree.split("\n").at(-1)).toBe("          f/ (1)")
})

test("any paths give a short tree that names no file twice", () => {
  const name = fc.constantFrom("a", "b", "c", "long name", "é")
  const path = fc.array(name, { minLength: 1, maxLength: 8 }).map((parts) => `${parts.join("/")}.x`)
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 400 }), (paths) => {
      const lines = drawTree(paths).split("\n")
      expect(lines.length).toBeLessThanOrEqual(230)
    }),
    { numRuns: 50 },
  )
})

test("thousands of folders at the top do not fill the result", () => {
  const lines = drawTree(Array.from({ length: 5_000 }, (_, index) => `d${index}/x.ts`)).split("\n")
  expect(lines).toHaveLength(201)
  expect(lines.at(-1)).toBe("... 4800 more folders")
})

test("a name with a line break cannot pass for two entries", () => {
  expect(drawTree(["one\ntwo"])).toBe('"one\\ntwo"')
})
