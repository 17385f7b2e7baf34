import type { Todo } from "@haft/contract"
import { fakeMemory } from "@haft/testkit"
import fc from "fast-check"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../../../tools/test/failure.js"
import { openBench, type ToolBench } from "../../../../../tools/test/tool-bench.js"
import { clearTodos } from "../clear-todos/index.js"
import { createTodos } from "../create-todos/index.js"
import { applyOperations } from "./execute.js"
import type { TodoOperation } from "./index.js"
import { updateTodos } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

const list: readonly Todo[] = [
  { content: "a", status: "completed" },
  { content: "b", status: "cancelled" },
  { content: "c", status: "pending", active_form: "doing c" },
]

test("what is not named stays as it is, words and states that the caller does not know included", async () => {
  bench = await openBench()
  const memory = fakeMemory(list)
  const operations = [{ type: "update", index: 2, status: "in_progress" }]
  const { data, text } = await bench.run(updateTodos, { operations }, { memory })
  expect(data.todos).toEqual([list[0], list[1], { ...list[2], status: "in_progress" }])
  expect(text).toBe("Applied 1: 3 items, 1 completed\n0. [completed] a\n1. [cancelled] b\n2. [in_progress] c")
  expect(await memory.todos()).toEqual(data.todos)
})

test("a place that is not there: nothing is changed", async () => {
  bench = await openBench()
  const memory = fakeMemory(list)
  const operations = [
    { type: "remove", index: 0 },
    { type: "remove", index: 2 },
  ]
  const error = await failure(bench.run(updateTodos, { operations }, { memory }))
  expect(error.message).toBe(
    "Cannot change item 2: the list has 2 items at operation 2, counted from 0; nothing was changed",
  )
  expect(await memory.todos()).toBe(list)
})

test("added at the end, cleared by state or all", async () => {
  bench = await openBench()
  const memory = fakeMemory(list)
  const added = await bench.run(createTodos, { adds: ["d", "e"] }, { memory })
  expect(added.text).toBe("Added 2 items: 5 items, 1 completed")
  const cleared = await bench.run(clearTodos, { mode: "completed" }, { memory })
  expect(cleared.text).toBe("Cleared 1 item: 4 items, 0 completed")
  expect((await bench.run(clearTodos, { mode: "all" }, { memory })).text).toBe("Cleared 4 items: the list is empty")
  expect(await memory.todos()).toEqual([])
})

test.each([
  [{ operations: [] }],
  [{ operations: [{ type: "add", text: " " }] }],
  [{ operations: [{ type: "remove", index: -1 }] }],
  [{ operations: [{ type: "remove", index: 0.5 }] }],
  [{ operations: [{ type: "update", index: 0, status: "cancelled" }] }],
])("%j is not valid", (input) => {
  expect(updateTodos.manifest.input.safeParse(input).success).toBe(false)
})

test("adds and removes alone account for the length, and the given list is never changed", () => {
  const operation: fc.Arbitrary<TodoOperation> = fc.oneof(
    fc.record({ type: fc.constant("add" as const), text: fc.string({ minLength: 1 }) }),
    fc.record({ type: fc.constant("remove" as const), index: fc.nat(4) }),
    fc.record({ type: fc.constant("update" as const), index: fc.nat(4), status: fc.constant("completed" as const) }),
  )
  fc.assert(
    fc.property(fc.array(operation), (operations) => {
      const before = structuredClone(list)
      try {
        const after = applyOperations(list, operations)
        const change =
          operations.filter(({ type }) => type === "add").length -
          operations.filter(({ type }) => type === "remove").length
        expect(after).toHaveLength(list.length + change)
      } catch (error) {
        expect((error as Error).message).toContain("nothing was changed")
      }
      expect(list).toEqual(before)
    }),
  )
})
