import {
  ArgumentsEditor,
  Chip,
  DataTable,
  defineWords,
  InspectorLine,
  knownArgs,
  listAt,
  Note,
  numberAt,
  PlainText,
  recordOf,
  resultFaces,
  Skeleton,
  textAt,
  textsAt,
  useWords,
} from "haft/faces"
import { createElement as element } from "react"

const words = defineWords(
  {
    tasks: "{n} task|{n} tasks",
    inAll: "{n} task in all|{n} tasks in all",
    none: "No tasks",
    number: "Number",
    task: "Task",
    status: "Status",
    open: "open",
    doing: "in progress",
    done: "done",
    removed: "Task {id} is removed for good",
    change: "{n} task changes|{n} tasks change",
    added: "{n} task is added|{n} tasks are added",
  },
  {
    tasks: "{n} 个任务",
    inAll: "共 {n} 个任务",
    none: "没有任务",
    number: "编号",
    task: "任务",
    status: "状态",
    open: "待办",
    doing: "进行中",
    done: "完成",
    removed: "任务 {id} 将被永久删除",
    change: "将更改 {n} 个任务",
    added: "将添加 {n} 个任务",
  },
)

/** The header, drawn in every phase: the part says what the call is about; of a batch, how many. */
function Inspector(props) {
  const say = useWords(words)
  const batch = batchOf(knownArgs(props)).length
  const { length } = tasksIn(props.pluginState)
  const total = numberAt(props.pluginState, "total")
  return element(
    InspectorLine,
    { props, ...(batch > 0 && { subject: say("tasks", { n: batch }) }) },
    length > 0 && element(Chip, null, say("tasks", { n: length })),
    total !== undefined && element(Chip, null, say("inAll", { n: total })),
  )
}

/** Rows where the tasks will be. */
function Placeholder({ words: { loading } }) {
  return element(Skeleton, { label: loading, rows: 3, shape: "rows" })
}

/** Titles are worth reading while the model still writes them; then what the call gives while it runs. */
function Streaming({ args, output = "" }) {
  const lines = [...textsAt(args, "titles"), textAt(args, "title") ?? "", output].filter((line) => line !== "")
  if (lines.length === 0) return null
  return element(
    "ul",
    null,
    lines.slice(0, most).map((line, index) => element("li", { key: index }, element(PlainText, { text: line }))),
  )
}

const most = 50

/** What a person decides about: the impact in words, then the arguments, each of which may be changed. */
function Intervention({ args, identifier, onArgsChange }) {
  const say = useWords(words)
  const n = Math.max(1, batchOf(args).length)
  const impact =
    identifier === "task_delete"
      ? element(Note, { tone: "warn" }, say("removed", { id: String(args.id) }))
      : element(Note, null, say(identifier.endsWith("_create") ? "added" : "change", { n }))
  return element("div", null, impact, element(ArgumentsEditor, { args, onChange: onArgsChange }))
}

/** The tasks of a result, some of them in the card and all on the whole page; a failure is drawn as one. */
function Tasks({ data, isWhole }) {
  const say = useWords(words)
  const tasks = tasksIn(data)
  if (tasks.length === 0 && data.tasks !== undefined) return element(Note, null, say("none"))
  if (tasks.length === 0) return element(Note, null, say("inAll", { n: numberAt(data, "total") ?? 0 }))
  const rows = tasks.map((task) => [
    String(numberAt(task, "id") ?? ""),
    textAt(task, "title") ?? "",
    say(textAt(task, "status") ?? ""),
  ])
  const head = [say("number"), say("task"), say("status")]
  return element(DataTable, { label: say("tasks", { n: tasks.length }), head, rows, maxRows: isWhole ? 500 : 8 })
}

function tasksIn(data) {
  const { removed } = recordOf(data)
  return removed === undefined ? listAt(data, "tasks") : [removed]
}

function batchOf(args) {
  const titles = listAt(args, "titles")
  return titles.length > 0 ? titles : listAt(args, "changes")
}

const all = { Inspector, Placeholder, Streaming, Intervention, ...resultFaces(Tasks) }

/** All six, for each of the tools. */
export const faces = Object.fromEntries(
  ["task_list", "task_create", "tasks_create", "task_update", "tasks_update", "task_delete"].map((id) => [id, all]),
)
