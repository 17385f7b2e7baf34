import type { ToolDefinition, ToolIndex } from "@haft/contract"
import { createToolIndex } from "@haft/runtime"
import { runExample, testCall } from "@haft/testkit"
import { afterEach, expect, test } from "vitest"
import * as z from "zod"
import { openBench, type ToolBench } from "../../test/tool-bench.js"
import { examples, toolSearch } from "./tool-search.js"

let bench: ToolBench
afterEach(() => bench?.close())

function named(id: string, description: string, argument: string): ToolDefinition {
  const input = z.strictObject({ [argument]: z.string() })
  const manifest = { ...toolSearch.manifest, id, title: id, description, input }
  return { ...toolSearch, manifest } as unknown as ToolDefinition
}

const hidden = [
  named("weather", "Tells the weather of a place. Use before a walk.", "city"),
  named("invoice", "Writes an invoice.\nUse at the end of the month.", "customer"),
]

function openIndex() {
  const offered: string[] = []
  const tools = createToolIndex(
    () => hidden,
    (ids) => void offered.push(...ids),
  )
  return { tools, offered }
}

test.each(examples)("example: $name", async (example) => {
  bench = await openBench()
  const { context } = testCall(toolSearch, bench.ports, { tools: openIndex().tools })
  await runExample(toolSearch, example, () => ({ context }))
})

test("what was found is offered from then on, and each is worded in one line", async () => {
  bench = await openBench()
  const { tools, offered } = openIndex()
  const { data, text } = await bench.run(toolSearch, { query: "invoice" }, { tools })
  expect(data).toEqual({ unlisted: 2, matches: [{ id: "invoice", description: hidden[1]!.manifest.description }] })
  expect(text).toBe("invoice: Writes an invoice. Use at the end of the month.")
  expect(offered).toEqual(["invoice"])
})

test("no more than max_results, five by default, and nothing found says what to try", async () => {
  bench = await openBench()
  const asked: number[] = []
  const tools: ToolIndex = {
    size: 1,
    search(_query, { max }) {
      asked.push(max)
      return []
    },
  }
  const { text } = await bench.run(toolSearch, { query: "x" }, { tools })
  await bench.run(toolSearch, { query: "x", max_results: 2 }, { tools })
  expect(asked).toEqual([5, 2])
  expect(text).toBe("No unlisted tool matches; try other words, or an empty query for the list")
})

test("an empty query lists all, whatever max_results says, and offers none of them", async () => {
  bench = await openBench()
  const { tools, offered } = openIndex()
  const { data } = await bench.run(toolSearch, { query: " ", max_results: 1 }, { tools })
  expect(data).toMatchObject({ matches: [{ id: "invoice" }, { id: "weather" }], unlisted: 2 })
  expect(offered).toEqual([])
})

test("where every tool is listed it says so", async () => {
  bench = await openBench()
  const tools = createToolIndex(
    () => [],
    () => {},
  )
  const { data, text } = await bench.run(toolSearch, { query: "weather" }, { tools })
  expect(data).toEqual({ matches: [], unlisted: 0 })
  expect(text).toBe("Every tool of this session is listed already: there is nothing to find")
})

test.each([{}, { query: "x", max_results: 0 }, { query: 5 }])("[C2-7] %j is not valid", (input) => {
  expect(toolSearch.manifest.input.safeParse(input).success).toBe(false)
})
