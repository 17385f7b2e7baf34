import type { ToolDefinition } from "@haft/contract"
import { createToolIndex } from "@haft/runtime"
import { runExample, testCall } from "@haft/testkit"
import { afterEach, expect, test } from "vitest"
import { openBench, type ToolBench } from "../../../../tools/test/tool-bench.js"
import { examples, findTools } from "./find-tools.js"

let bench: ToolBench
afterEach(() => bench?.close())

test.each(examples)("example: $name", async (example) => {
  bench = await openBench()
  await runExample(findTools, example, () => ({ context: testCall(findTools, bench.ports).context }))
})

test("it finds what is in the prompt, which tool_search leaves out", async () => {
  bench = await openBench()
  const tools = createToolIndex(
    () => [],
    () => {},
    () => [findTools as unknown as ToolDefinition],
  )
  const { data } = await bench.run(findTools, { query: "select:FindTools" }, { tools })
  expect(data.matches).toEqual(["find_tools"])
})
