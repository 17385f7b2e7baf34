import { ToolError } from "haft"

const file = "tasks.json"

/** The work of each tool, by its id: facts in, facts out. Files come in the context. */
export async function task_list({ status }, context) {
  const tasks = await load(context)
  return { tasks: status === undefined ? tasks : tasks.filter((task) => task.status === status) }
}

export async function task_create({ title }, context) {
  const { ids, total } = await tasks_create({ titles: [title] }, context)
  return { id: ids[0], total }
}

export async function tasks_create({ titles }, context) {
  const tasks = await load(context)
  const first = Math.max(0, ...tasks.map(({ id }) => id)) + 1
  const added = titles.map((title, index) => ({ id: first + index, title, status: "open" }))
  await save([...tasks, ...added], context)
  return { ids: added.map(({ id }) => id), total: tasks.length + added.length }
}

export async function task_update(change, context) {
  await tasks_update({ changes: [change] }, context)
  return { changed: Object.keys(change).filter((key) => key !== "id") }
}

export async function tasks_update({ changes }, context) {
  const tasks = await load(context)
  const changed = changes.reduce((now, { id, ...parts }) => {
    find(now, id)
    return now.map((task) => (task.id === id ? { ...task, ...parts } : task))
  }, tasks)
  // Written once at the end: when one of them is missing, none is changed.
  await save(changed, context)
  return { count: changes.length }
}

export async function task_delete({ id }, context) {
  const tasks = await load(context)
  const removed = find(tasks, id)
  await save(
    tasks.filter((task) => task !== removed),
    context,
  )
  return { removed, total: tasks.length - 1 }
}

function find(tasks, id) {
  const task = tasks.find((each) => each.id === id)
  if (task) return task
  throw new ToolError("not_found", `Cannot find task ${id}: there is no task with this number`, {
    hint: "Look at the numbers with task_list",
  })
}

async function load({ files }) {
  try {
    return JSON.parse(await files.readText(file))
  } catch (error) {
    if (ToolError.is(error) && error.code === "not_found") return []
    if (error instanceof SyntaxError)
      throw new ToolError("conflict", `Cannot read ${file}: it is no JSON`, { hint: "Somebody has to mend the file" })
    throw error
  }
}

async function save(tasks, { files }) {
  await files.writeText(file, `${JSON.stringify(tasks, null, 2)}\n`)
}
