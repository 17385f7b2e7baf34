import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { SessionEvent } from "@haft/contract"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type LibraryWorld, libraryWorld } from "./library-world.js"

let world: LibraryWorld
beforeEach(async () => {
  world = await libraryWorld({ "a.txt": "alpha\n" })
})
afterEach(() => world.remove())

const notes = () => join(world.home, "launcher.json.log")

test("what a session used is noted when it ends: one line a tool, and nothing for calls that failed", async () => {
  const session = await (await world.haft()).openSession()
  await session.call("read", { file_path: "a.txt" })
  await session.call("read", { file_path: "a.txt" })
  await session.call("read", { file_path: "missing.txt" })
  await session.call("glob", { pattern: "*" })
  expect(existsSync(notes())).toBe(false)
  const before = Date.now()
  await session.close()
  const rows = readFileSync(notes(), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown[])
  expect(rows.map(([id, count]) => [id, count])).toEqual([
    ["tool_read", 2],
    ["tool_glob", 1],
  ])
  for (const [, , at] of rows) expect(before - (at as number)).toBeLessThan(60_000)
})

test("the next session finds what was used first; who listens to events hears all of them", async () => {
  const heard: SessionEvent["type"][] = []
  const haft = await world.haft({ toolset: "launcher", hooks: { onEvent: ({ type }) => void heard.push(type) } })
  const first = await haft.openSession()
  expect((await first.call("calculator", { expression: "1+1" }, { answer: "once" })).type).toBe("output")
  await first.close()
  expect(heard).toContain("tool-end")
  const second = await haft.openSession()
  const found = await second.call("index_search", { query: "", limit: 2 }, { answer: "once" })
  expect(found).toMatchObject({ type: "output", data: { results: [{ id: "tool_calculator" }, { score: 0 }] } })
})
