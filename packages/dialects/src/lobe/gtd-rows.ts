import { type OutputOf, type Todo, ToolError, type ToolResult } from "@haft/contract"
import * as z from "zod"
import { dataOf, given, textOf } from "../shared/parts-of-result.js"
import { lobeRow } from "./lobe-row.js"
import type { Plan } from "./plan.js"
import type { manifest as clearManifest } from "./tools/clear-todos/index.js"

const gtd = "lobe-gtd"

const task = z.strictObject({
  description: z.string().min(1).describe("Brief description of what this task does"),
  instruction: z.string().min(1).describe("Detailed instruction for the task execution"),
  inheritMessages: z.boolean().optional(),
  runInClient: z.boolean().optional(),
  timeout: z.int().min(1).optional().describe("Milliseconds (default 30 minutes)"),
})

const operation = z.strictObject({
  type: z.enum(["add", "update", "remove", "complete", "processing"]),
  text: z.string().min(1).optional().describe('Required for "add" only'),
  index: z.int().min(0).optional().describe('Required for "update", "remove", "complete", "processing" (0-based)'),
  newText: z.string().min(1).optional().describe('For "update" only'),
  status: z.enum(["todo", "processing", "completed"]).optional().describe('For "update" only'),
})

/** The package's APIs for plans, todos and tasks. */
export const gtdRows = [
  lobeRow(gtd, {
    api: "createPlan",
    titles: { en: "Create plan", "zh-CN": "创建计划" },
    tool: "create_plan",
    description: 'Create a high-level plan (the "what" and "why"); todos hold the steps.',
    input: z.strictObject({
      goal: z.string().min(1).describe("The main goal or objective to achieve"),
      description: z.string().describe("A brief summary of the plan (1-2 sentences)"),
      context: z.string().describe("Detailed context, constraints, background"),
    }),
    toArguments: (input) => input,
    state: planState,
  }),
  lobeRow(gtd, {
    api: "updatePlan",
    titles: { en: "Update plan", "zh-CN": "更新计划" },
    tool: "update_plan",
    description: "Update an existing plan. Only when the goal fundamentally changes.",
    input: z.strictObject({
      planId: z.string().min(1).describe("The id that createPlan returned"),
      goal: z.string().min(1).optional(),
      description: z.string().optional(),
      context: z.string().optional(),
      completed: z.boolean().optional(),
    }),
    keys: { id: "planId" },
    toArguments: ({ planId, ...changes }) => given({ id: planId, ...changes }),
    state: planState,
  }),
  lobeRow(gtd, {
    api: "createTodos",
    titles: { en: "Create todos", "zh-CN": "创建待办" },
    tool: "create_todos",
    description: "Create new todo items.",
    input: z.strictObject({ adds: z.array(z.string().min(1)).min(1).describe("Texts of the items") }),
    toArguments: (input) => input,
    state: (result, { adds }) => ({ createdCount: adds.length, todos: todoList(result) }),
  }),
  lobeRow(gtd, {
    api: "updateTodos",
    titles: { en: "Update todos", "zh-CN": "更新待办" },
    tool: "update_todos",
    description:
      'Update todo items with batch operations: "add" needs text; "update" needs index and newText or status; "remove", "complete" and "processing" need index.',
    input: z.strictObject({ operations: z.array(operation).min(1) }),
    toArguments: ({ operations }) => ({ operations: operations.map(ourOperation) }),
    content: inTheirWords,
    state: (result, { operations }) => ({ appliedCount: operations.length, todos: todoList(result) }),
  }),
  lobeRow(gtd, {
    api: "clearTodos",
    titles: { en: "Clear todos", "zh-CN": "清除待办" },
    tool: "clear_todos",
    description: 'Clear todo items: "completed" clears only done items, "all" the entire list.',
    input: z.strictObject({ mode: z.enum(["completed", "all"]) }),
    toArguments: (input) => input,
    state: (result) => ({
      clearedCount: dataOf<OutputOf<typeof clearManifest>>(result).cleared,
      todos: todoList(result),
    }),
  }),
  lobeRow(gtd, {
    api: "execTask",
    titles: { en: "Run a task", "zh-CN": "执行任务" },
    tool: "task",
    description: "Execute one task with an agent of its own.",
    input: task,
    toArguments: ({ instruction }) => taskArguments(instruction),
    state: (result) => ({ type: "execTask", ...dataOf<object>(result) }),
  }),
  lobeRow(gtd, {
    api: "execTasks",
    titles: { en: "Run tasks", "zh-CN": "执行多个任务" },
    tool: "task",
    description: "Execute one or more tasks, each with an agent of its own.",
    input: z.strictObject({ tasks: z.array(task).min(1) }),
    toArguments: ({ tasks }) => {
      if (tasks.length === 1) return taskArguments(tasks[0]!.instruction)
      throw new ToolError("unsupported", `Cannot start ${tasks.length} tasks in one call: one call starts one agent`, {
        hint: "Call execTask once for each",
      })
    },
    state: (result) => ({ type: "execTasks", ...dataOf<object>(result) }),
  }),
] as const

function taskArguments(instruction: string) {
  return { subagent_type: "general", prompt: instruction }
}

const ourStatus = { todo: "pending", processing: "in_progress", completed: "completed" } as const

function ourOperation({ type, text, index, newText, status }: z.infer<typeof operation>) {
  if (type === "add") return { type, text: needed(text, type, "text") }
  const place = needed(index, type, "index")
  if (type === "remove") return { type, index: place }
  if (type === "complete") return { type: "update", index: place, status: "completed" }
  if (type === "processing") return { type: "update", index: place, status: "in_progress" }
  if (newText === undefined && status === undefined) needed(undefined, type, "newText or status")
  return given({ type, index: place, text: newText, status: status === undefined ? undefined : ourStatus[status] })
}

function needed<Value>(value: Value | undefined, type: string, key: string): Value {
  if (value !== undefined) return value
  throw new ToolError("invalid_args", `Cannot apply "${type}": "${key}" is missing; name it`)
}

const theirStatus: Readonly<Record<Todo["status"], string>> = {
  pending: "todo",
  in_progress: "processing",
  completed: "completed",
  // LobeHub has no word for it; like a finished item it needs no more work.
  cancelled: "completed",
}

/** The list with the states as updateTodos takes them. */
function inTheirWords(result: ToolResult): string {
  return textOf(result).replace(/^(\d+\. )\[(\w+)\]/gm, (line, place: string, status: string) =>
    Object.hasOwn(theirStatus, status) ? `${place}[${theirStatus[status as Todo["status"]]}]` : line,
  )
}

function todoList(result: ToolResult) {
  const { todos, updated_at } = dataOf<{ todos: readonly Todo[]; updated_at: string }>(result)
  const items = todos.map(({ content, status }) => ({ status: theirStatus[status], text: content }))
  return { items, updatedAt: updated_at }
}

/** What the call made of the plan; its words are those of the arguments. */
function planState(result: ToolResult) {
  const { id, completed, created_at, updated_at } = dataOf<{ plan: Plan }>(result).plan
  return { plan: { id, completed, createdAt: created_at, updatedAt: updated_at } }
}
