import { fakeConversation, runExample, testCall } from "@haft/testkit"
import { afterEach, expect, test } from "vitest"
import { openBench, type ToolBench } from "../../test/tool-bench.js"
import { examples, execute, planExit } from "./plan-exit.js"

let bench: ToolBench
afterEach(() => bench?.close())

test.each(examples)("example: $name", async (example) => {
  bench = await openBench()
  const { approved, reason } = example.output!
  const plan = { approved: approved!, ...(reason !== undefined && { reason }) }
  const conversation = fakeConversation(example.name === "nobody is there" ? {} : { plan })
  const { context } = testCall(planExit, bench.ports, { conversation })
  await runExample(planExit, example, () => ({ context }))
})

test("[C2-186] the agent only proposes: the plan goes to the person, and the answer comes back", async () => {
  const conversation = fakeConversation({ plan: { approved: false, reason: "smaller steps" } })
  const output = await execute({ plan: "1. x" }, { conversation } as unknown as Parameters<typeof execute>[1])
  expect(conversation.plans).toEqual(["1. x"])
  expect(output).toEqual({ approved: false, reason: "smaller steps" })
  expect(planExit.present(output, { plan: "1. x" })).toEqual([
    { type: "text", text: "The plan is not approved: smaller steps. Plan mode goes on; revise the plan" },
  ])
})

test("[C2-135] it is no tool of the lock and changes nothing itself", () => {
  expect(planExit.manifest.effects({ plan: "x" })).toEqual([])
  expect(planExit.manifest.tier).toBe("read-only")
  expect(planExit.manifest.input.safeParse({ plan: "" }).success).toBe(false)
})
