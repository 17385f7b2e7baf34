import { fakeMemory } from "@haft/testkit"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../../tools/test/failure.js"
import { openBench, type ToolBench } from "../../../../tools/test/tool-bench.js"
import { todoWrite } from "./todo-write.js"

let bench: ToolBench
afterEach(() => bench?.close())

const step = (content: string, status: string) => ({ content, active_form: `${content}...`, status })

test("the former list comes back with the new one; several steps may be in progress", async () => {
  bench = await openBench()
  const memory = fakeMemory([{ content: "old", status: "pending" }])
  const todos = [step("a", "in_progress"), step("b", "in_progress")]
  const { data, text } = await bench.run(todoWrite, { todos }, { memory })
  expect(data).toEqual({ old_todos: [{ content: "old", active_form: "old", status: "pending" }], new_todos: todos })
  expect(text).toBe("Todo list saved: 2 of 2 steps open")
  expect((await bench.run(todoWrite, { todos }, { memory })).data.old_todos).toEqual(todos)
})

test("a list that is all completed clears the store; three steps without one that verifies are noticed", async () => {
  bench = await openBench()
  const run = async (...contents: string[]) => {
    const memory = fakeMemory()
    const { data } = await bench.run(todoWrite, { todos: contents.map((each) => step(each, "completed")) }, { memory })
    expect(await memory.todos()).toEqual([])
    return data.verification_nudge_needed
  }
  expect(await run("a", "b", "c")).toBe(true)
  expect(await run("a", "Verify it", "c")).toBeUndefined()
  expect(await run("a", "b")).toBeUndefined()
})

test("an empty list and blank words are errors that leave the list as it is", async () => {
  bench = await openBench()
  const memory = fakeMemory([{ content: "old", status: "pending" }])
  for (const todos of [[], [step(" ", "pending")], [{ ...step("a", "pending"), active_form: "\t" }]]) {
    expect((await failure(bench.run(todoWrite, { todos }, { memory }))).code).toBe("invalid_args")
  }
  expect(await memory.todos()).toHaveLength(1)
})
