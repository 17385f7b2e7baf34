const two = [
  { id: 1, title: "Water the plants", status: "open" },
  { id: 2, title: "Write the guide", status: "doing" },
]
const stored = (tasks) => `${JSON.stringify(tasks, null, 2)}\n`
const files = { "tasks.json": stored(two) }

/** Calls in a small world, by the id of the tool: tests, documentation and gallery. */
export const examples = {
  task_list: [
    { name: "all", files, input: {}, output: { tasks: two } },
    { name: "by status", files, input: { status: "doing" }, output: { tasks: [two[1]] } },
    { name: "before the first one", input: {}, output: { tasks: [] } },
    { name: "a file that is no list", files: { "tasks.json": "oops" }, input: {}, fails: "conflict" },
  ],
  task_create: [
    { name: "the first", input: { title: "Begin" }, output: { id: 1, total: 1 } },
    { name: "one more", files, input: { title: "Rest" }, output: { id: 3, total: 3 } },
    { name: "after others", files, input: { title: "Go on" }, output: { id: 3 } },
  ],
  tasks_create: [
    { name: "two at once", files, input: { titles: ["Rest", "Sleep"] }, output: { ids: [3, 4], total: 4 } },
    { name: "into an empty list", input: { titles: ["Begin"] }, output: { ids: [1], total: 1 } },
    { name: "the same twice", input: { titles: ["Eat", "Eat"] }, output: { ids: [1, 2], total: 2 } },
  ],
  task_update: [
    {
      name: "a status",
      files,
      input: { id: 1, status: "done" },
      output: { changed: ["status"] },
      after: { "tasks.json": stored([{ ...two[0], status: "done" }, two[1]]) },
    },
    { name: "nothing", files, input: { id: 1 }, output: { changed: [] }, after: { "tasks.json": stored(two) } },
    { name: "a task that is not there", files, input: { id: 9, status: "done" }, fails: "not_found" },
  ],
  tasks_update: [
    {
      name: "two",
      files,
      input: {
        changes: [
          { id: 1, status: "done" },
          { id: 2, status: "done" },
        ],
      },
      output: { count: 2 },
    },
    {
      name: "all or none",
      files,
      input: {
        changes: [
          { id: 1, status: "done" },
          { id: 9, status: "done" },
        ],
      },
      fails: "not_found",
      after: { "tasks.json": stored(two) },
    },
    { name: "one", files, input: { changes: [{ id: 2, title: "Print it" }] }, output: { count: 1 } },
  ],
  task_delete: [
    {
      name: "the first",
      files,
      input: { id: 1 },
      output: { removed: two[0], total: 1 },
      after: { "tasks.json": stored([two[1]]) },
    },
    { name: "the last", files, input: { id: 2 }, output: { total: 1 } },
    { name: "a task that is not there", files, input: { id: 9 }, fails: "not_found" },
  ],
}
