import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"

const page = readFileSync("docs/tour-of-the-code.md", "utf8")
const named = [...page.matchAll(/`([a-z]+\/src\/[\w/.-]+\.ts)`/g)].map(([, path]) => path!)

test("the tour names files that are there, each once, on at most 80 lines", () => {
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => !existsSync(`packages/${path}`))).toEqual([])
  expect(named.filter((path, index) => named.indexOf(path) !== index)).toEqual([])
  expect(page.trimEnd().split("\n").length).toBeLessThanOrEqual(80)
})

test("what the tour names without its folder is beside the file that it named before", () => {
  let folder = ""
  const missing = [...page.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].flatMap(([, path]) => {
    if (/^[a-z]+\/src\//.test(path!)) {
      folder = dirname(path!)
      return existsSync(join("packages", path!)) ? [] : [path]
    }
    return [folder, dirname(folder)].some((near) => existsSync(join("packages", near, path!))) ? [] : [path]
  })
  expect(missing).toEqual([])
})
