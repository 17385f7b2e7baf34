import { createElement as element } from "react"

const marks = { open: "○", doing: "◐", done: "●" }

/** The header: title, then what is known of the arguments, then what came of it. Drawn in every phase. */
function Inspector({ words, args, partialArgs, isLoading, pluginState, result }) {
  const { id, title, titles, changes } = { ...partialArgs, ...args }
  const about = title ?? (id === undefined ? undefined : `#${id}`) ?? count(titles ?? changes)
  const said = result?.error ? result.error.message : summary(pluginState)
  const parts = [isLoading ? words.loading : words.title, about, isLoading ? undefined : said]
  return element("span", { className: isLoading ? "haft-pulse" : undefined }, parts.filter(Boolean).join(" · "))
}

function count(list) {
  return Array.isArray(list) ? `${list.length}×` : undefined
}

function summary(state) {
  if (state?.tasks) return `${state.tasks.length}`
  return state?.total === undefined ? undefined : `${state.total} in all`
}

/** Three rows where the tasks will be. */
function Placeholder() {
  const row = (key) => element("li", { key, "aria-hidden": true }, "○ ………")
  return element("ul", { "aria-busy": true }, [1, 2, 3].map(row))
}

/** Titles are worth reading while the model still writes them. */
function Streaming({ args, output }) {
  const titles = Array.isArray(args.titles) ? args.titles : [args.title]
  const lines = [...titles, output].filter((text) => typeof text === "string" && text !== "")
  return element("p", null, lines.length === 0 ? "…" : lines.join(", "))
}

/** What a person decides about: the impact in words, and the arguments, which may be changed. */
function Intervention({ args, identifier, onArgsChange }) {
  if (identifier === "task_delete")
    return element(
      "p",
      { role: "alert" },
      `Task #${args.id} is removed for good. Undo brings it back within this session.`,
    )
  if (typeof args.title !== "string")
    return element("p", null, `${count(args.titles ?? args.changes) ?? "1×"} tasks change`)
  const change = (event) => onArgsChange?.({ ...args, title: event.target.value })
  return element("label", null, "Title ", element("input", { defaultValue: args.title, onChange: change }))
}

/** The tasks of a result; nothing without data. */
function Render({ pluginState, pluginError }) {
  if (pluginError) return element("p", { role: "alert" }, pluginError.message)
  const tasks = pluginState?.tasks ?? (pluginState?.removed ? [pluginState.removed] : undefined)
  if (tasks === undefined) return null
  if (tasks.length === 0) return element("p", null, "No tasks")
  return element("ul", null, tasks.slice(0, most).map(item), more(tasks))
}

const most = 8

function item({ id, title, status }) {
  return element("li", { key: id }, `${marks[status] ?? "?"} ${title}`)
}

function more(tasks) {
  return tasks.length > most ? element("li", { key: "more" }, `and ${tasks.length - most} more`) : null
}

/** The whole list, by status. */
function Portal({ state, content }) {
  const tasks = state?.tasks ?? []
  if (tasks.length === 0) return element("pre", null, content || "No tasks")
  const group = (status) => [
    element("h3", { key: status }, `${marks[status]} ${status}`),
    element("ul", { key: `${status}-list` }, tasks.filter((task) => task.status === status).map(item)),
  ]
  return element("section", null, Object.keys(marks).flatMap(group))
}

const all = { Inspector, Placeholder, Streaming, Intervention, Render, Portal }

/** All six, for each of the tools. */
export const faces = Object.fromEntries(
  ["task_list", "task_create", "tasks_create", "task_update", "tasks_update", "task_delete"].map((id) => [id, all]),
)
