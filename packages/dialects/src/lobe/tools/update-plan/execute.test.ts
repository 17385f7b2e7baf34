import { fakeMemory } from "@haft/testkit"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../../../tools/test/failure.js"
import { openBench, type ToolBench } from "../../../../../tools/test/tool-bench.js"
import { createPlan } from "../create-plan/index.js"
import { updatePlan } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

test("a plan is kept for the session; what is left out of an update stays", async () => {
  bench = await openBench()
  const memory = fakeMemory()
  const made = await bench.run(createPlan, { goal: "G", description: "D", context: "C" }, { memory })
  const { id, created_at } = made.data.plan
  expect(made.text).toBe(`Created plan ${id}`)
  const { data, text } = await bench.run(updatePlan, { id, goal: "H", completed: true }, { memory })
  expect(data.plan).toMatchObject({ id, goal: "H", description: "D", context: "C", completed: true, created_at })
  expect(text).toBe(`Updated plan ${id}: completed`)
  const again = await bench.run(updatePlan, { id }, { memory })
  expect(again.data.plan).toMatchObject({ goal: "H", completed: true })
})

test("a plan of another session, or none at all, is not found; ids that there are get named", async () => {
  bench = await openBench()
  const memory = fakeMemory()
  expect(await failure(bench.run(updatePlan, { id: "plan_x" }, { memory }))).toMatchObject({
    code: "not_found",
    hint: "Create a plan first",
  })
  await bench.run(createPlan, { goal: "G", description: "", context: "" }, { memory })
  const error = await failure(bench.run(updatePlan, { id: "__proto__" }, { memory }))
  expect(error.hint).toBe('There is "plan_call_test"')
})
