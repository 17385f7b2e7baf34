import * as z from "zod"

/** Where the tasks are. */
export const file = "tasks.json"

const id = z.int().min(1).describe("The number of the task")
const title = z.string().min(1).max(200)
const status = z.enum(["open", "doing", "done"])
const change = z.strictObject({ id, title: title.optional(), status: status.optional() })

const task = z.object({ id: z.int(), title: z.string(), status })
const head = z.string().optional()

const reading = { kind: "read", reads: () => [file] }
const writing = { kind: "edit", reads: () => [file], writes: () => [file] }

/** What can be known of each tool without running it. Ids are permanent: they are in journals. */
export const manifests = [
  {
    ...reading,
    id: "task_list",
    title: "List tasks",
    description: "Lists the tasks, or those with one status. Use before changing a task, to know its number.",
    input: z.strictObject({ status: status.optional() }),
    output: z.object({ tasks: z.array(task), head }),
  },
  {
    ...writing,
    id: "task_create",
    title: "Create a task",
    description: "Adds one open task and gives its number. Use tasks_create for several.",
    input: z.strictObject({ title }),
    output: z.object({ id: z.int(), total: z.int(), head }),
  },
  {
    ...writing,
    id: "tasks_create",
    title: "Create tasks",
    description: "Adds several open tasks at once and gives their numbers. Use instead of many calls of task_create.",
    input: z.strictObject({ titles: z.array(title).min(1).max(50) }),
    output: z.object({ ids: z.array(z.int()), total: z.int(), head }),
  },
  {
    ...writing,
    id: "task_update",
    title: "Change a task",
    description: "Changes the title or the status of one task. Use tasks_update for several.",
    input: change,
    output: z.object({ changed: z.array(z.string()), head }),
  },
  {
    ...writing,
    id: "tasks_update",
    title: "Change tasks",
    description: "Changes several tasks, all or none of them. Use instead of many calls of task_update.",
    input: z.strictObject({ changes: z.array(change).min(1).max(50) }),
    output: z.object({ count: z.int(), head }),
  },
  {
    ...writing,
    id: "task_delete",
    title: "Delete a task",
    description:
      "Removes a task for good. Use only when somebody asks for that; a task that is finished is done, not deleted.",
    input: z.strictObject({ id }),
    output: z.object({ removed: task, total: z.int(), head }),
  },
]
