import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { expect, test } from "vitest"

const root = resolve(import.meta.dirname, "..")
const pages = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"],
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
]

test("every link between the pages leads somewhere, to a heading that is there", () => {
  const broken = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([, path, heading]) => {
        const target = path === "" ? join(root, page) : resolve(dirname(join(root, page)), path!)
        if (!existsSync(target)) return [`${page}: ${path}`]
        const isThere = heading === undefined || headings(target).includes(heading)
        return isThere ? [] : [`${page}: ${path}#${heading}`]
      },
    ),
  )
  expect(broken).toEqual([])
})

function headings(file: string): readonly string[] {
  return [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number} -]/gu, "")
      .replaceAll(" ", "-"),
  )
}

test("the tests that the page about security names are there", () => {
  const text = readFileSync(join(root, "docs/security.md"), "utf8")
  const named = [...text.matchAll(/`([a-z]+\/(?:src|test)\/[^`]+)`/g)].map(([, path]) => path!)
  expect(named.length).toBeGreaterThan(30)
  const missing = named.filter((path) => {
    if (!path.includes("*")) return !existsSync(join(root, "packages", path))
    const end = path.slice(path.indexOf("*") + 1)
    return !readdirSync(join(root, "packages", dirname(path))).some((name) => name.endsWith(end))
  })
  expect(missing).toEqual([])
})

test("the page about the agent names every event", () => {
  const source = readFileSync(join(root, "packages/contract/src/event.ts"), "utf8")
  const types = [...source.matchAll(/readonly type: "([a-z-]+)"/g)].map(([, type]) => type!)
  expect(types).toContain("turn-end")
  const text = readFileSync(join(root, "docs/agent.md"), "utf8")
  expect(types.filter((type) => !text.includes(`\`${type}\``))).toEqual([])
})
