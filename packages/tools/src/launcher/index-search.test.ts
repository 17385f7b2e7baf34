import { afterEach, expect, test } from "vitest"
import { type LauncherBench, openLauncherBench } from "../../test/launcher-bench.js"
import { indexSearch } from "./index-search.js"

let bench: LauncherBench | undefined
afterEach(() => bench?.close())

const tools = [
  { id: "web_fetch", name: "Fetch page" },
  { id: "web_search", name: "Search the web" },
]

test("results carry id, name, type and score, best first", async () => {
  bench = await openLauncherBench({ "docs/webpage.md": "" }, { tools })
  for (let use = 0; use < 3; use++) bench.launcher.recordUse("tool_web_search")
  const { data, text } = await bench.run(indexSearch, { query: "web" })
  expect(data.results.map(({ id, type }: { id: string; type: string }) => [id, type])).toEqual([
    ["tool_web_search", "tool"],
    ["tool_web_fetch", "tool"],
    ["file_docs/webpage.md", "file"],
  ])
  expect(data.results[0].score).toBeGreaterThan(3)
  expect(text).toBe("tool_web_search  Search the web\ntool_web_fetch  Fetch page\nfile_docs/webpage.md")
})

test("[B10] ten by default, as many as asked for, and none for 0", async () => {
  const many = Array.from({ length: 30 }, (_, index) => ({ id: `t${index}`, name: `thing ${index}` }))
  bench = await openLauncherBench({}, { tools: many })
  expect((await bench.run(indexSearch, { query: "thing" })).data.results).toHaveLength(10)
  expect((await bench.run(indexSearch, { query: "thing", limit: 25 })).data.results).toHaveLength(25)
  expect((await bench.run(indexSearch, { query: "thing", limit: 0 })).data).toEqual({ results: [] })
})

test.each([{ query: "x", limit: -1 }, { query: "x", limit: 1.5 }, { limit: 3 }, { query: 3 }])(
  "[B10] %j is not valid",
  (input) => {
    expect(indexSearch.manifest.input.safeParse(input).success).toBe(false)
  },
)

test("files that the rules refuse are counted and not named", async () => {
  bench = await openLauncherBench({ "keys/key.pem": "", "keys/keyboard.md": "" })
  const grant = { admits: (_kind: string, path: string) => !path.endsWith(".pem"), mayKeep: () => true }
  const { data, text } = await bench.run(indexSearch, { query: "key" }, { grant })
  expect(data.denied).toBe(1)
  expect(JSON.stringify(data)).not.toContain("pem")
  expect(text).toBe("file_keys/keyboard.md\n[1 file left out by rules]")
})

test("nothing found still says something, and a strange name stays on its line", async () => {
  bench = await openLauncherBench({ "odd\nname.txt": "" })
  expect((await bench.run(indexSearch, { query: "zzzz" })).text).toBe("[Nothing found]")
  expect((await bench.run(indexSearch, { query: "odd" })).text).toBe('"file_odd\\nname.txt"')
})
