import { fakeMemory } from "@haft/testkit"
import { afterEach, expect, test } from "vitest"
import { openBench, type ToolBench } from "../../test/tool-bench.js"
import { todo } from "./todo.js"

let bench: ToolBench
afterEach(() => bench?.close())

const step = (content: string, status: string) => ({ content, status })

test("the session remembers the list that was sent last", async () => {
  bench = await openBench()
  const memory = fakeMemory()
  await bench.run(todo, { todos: [step("old", "pending")] }, { memory })
  const todos = [step("a", "in_progress"), step("b", "pending"), step("c", "pending")]
  const { data, text, effects, state } = await bench.run(todo, { todos }, { memory })
  expect(state()).toEqual({ before: [step("old", "pending")] })
  expect(data).toEqual({ todos, counts: { pending: 2, in_progress: 1, completed: 0, cancelled: 0 } })
  expect(await memory.todos()).toEqual(todos)
  expect(text).toBe("Todo list saved: 2 pending, 1 in progress")
  expect(effects).toEqual([])
})

test("an empty list clears", async () => {
  bench = await openBench()
  const memory = fakeMemory([{ content: "old", status: "pending" }])
  expect((await bench.run(todo, { todos: [] }, { memory })).text).toBe("Todo list cleared")
  expect(await memory.todos()).toEqual([])
})

test.each([
  [{ todos: [{ content: "a", status: "done" }] }],
  [{ todos: [{ content: "", status: "pending" }] }],
  [{ todos: [{ content: " \t\n", status: "pending" }] }],
  [{ todos: [step("a", "pending"), step("\u00a0", "pending")] }],
  [{ todos: [{ content: "a" }] }],
  [{}],
])("[C2-7] %j is not valid", (input) => {
  expect(todo.manifest.input.safeParse(input).success).toBe(false)
})
