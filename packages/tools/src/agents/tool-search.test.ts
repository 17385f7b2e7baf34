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
  expect(data).toEqual({ matches: [{ id: "invoice", description: hidden[1]!.manifest.description }] })
  expect(text).toBe("invoice: Writes an invoice. Use at the end of the month.")
  expect(offered).toEqual(["invoice"])
})

test("no more than max_results, five by default, and nothing found says what to try", async () => {
  bench = await openBench()
  const asked: number[] = []
  const tools: ToolIndex = {
    search(_query, { max }) {
      asked.push(max)
      return []
    },
  }
  const { text } = await bench.run(toolSearch, { query: "x" }, { tools })
  await bench.run(toolSearch, { query: "x", max_results: 2 }, { tools })
  expect(asked).toEqual([5, 2])
  expect(text).toContain("No tool matches")
  expect(
    (await bench.run(toolSearch, { query: "", max_results: 1 }, { tools: openIndex().tools })).data.matches,
  ).toHaveLength(1)
})

test("it does not find itself: whoever calls it has it", async () => {
  bench = await openBench()
  const tools = createToolIndex(
    () => [toolSearch as unknown as ToolDefinition, ...hidden],
    () => {},
  )
  for (const query of ["", "tools by what they are for", "select:tool_search"]) {
    const { data } = await bench.run(toolSearch, { query }, { tools })
    expect(JSON.stringify(data)).not.toContain("tool_search")
  }
})

test.each([{}, { query: "x", max_results: 0 }, { query: 5 }])("[C2-7] %j is not valid", (input) => {
  expect(toolSearch.manifest.input.safeParse(input).success).toBe(false)
})
