const line = ({ id, title, status }) => `${id}. [${status}] ${title}`

/** What the model reads of each result. It knows its own arguments: none of them is repeated. */
export const present = {
  task_list: ({ tasks }) => (tasks.length === 0 ? "No tasks" : tasks.map(line).join("\n")),
  task_create: ({ id, total }) => `Task ${id} is there; ${total} in all`,
  tasks_create: ({ ids, total }) => `Tasks ${ids.join(", ")} are there; ${total} in all`,
  task_update: ({ changed }) => (changed.length === 0 ? "Nothing to change" : `Changed: ${changed.join(", ")}`),
  tasks_update: ({ count }) => `${count} ${count === 1 ? "task" : "tasks"} changed`,
  task_delete: ({ total }) => `The task is gone; ${total} left`,
}
