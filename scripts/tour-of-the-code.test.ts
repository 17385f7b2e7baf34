import { existsSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const page = readFileSync("docs/tour-of-the-code.md", "utf8")
const named = [...page.matchAll(/`([a-z]+\/src\/[\w/.-]+\.ts)`/g)].map(([, path]) => path!)

test("the tour names files that are there, each once, on at most 80 lines", () => {
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => !existsSync(`packages/${path}`))).toEqual([])
  expect(named.filter((path, index) => named.indexOf(path) !== index)).toEqual([])
  expect(page.trimEnd().split("\n").length).toBeLessThanOrEqual(80)
})
