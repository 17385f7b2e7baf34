import type { InspectorProps, StreamingProps } from "@haft/contract"
import {
  Chip,
  InspectorLine,
  knownArgs,
  listAt,
  Note,
  PlainText,
  type ResultProps,
  textAt,
  useSay,
  useWords,
} from "@haft/faces"
import { words } from "./words.js"

const statuses = ["pending", "in_progress", "completed", "cancelled"] as const
type Status = (typeof statuses)[number]

const signs: Readonly<Record<Status, string>> = { pending: "○", in_progress: "◐", completed: "●", cancelled: "⊘" }

/** The step that is being done, and how many are. */
export function TodoInspector(props: InspectorProps) {
  const own = useWords(words)
  const todos = todosIn(props.pluginState) ?? todosIn(knownArgs(props)) ?? []
  const current = todos.find((todo) => statusOf(todo) === "in_progress")
  const done = todos.filter((todo) => statusOf(todo) === "completed").length
  return (
    <InspectorLine props={props} subject={textAt(current, "active_form") ?? textAt(current, "content")}>
      {todos.length > 0 && <Chip>{own("done", { done, all: todos.length })}</Chip>}
    </InspectorLine>
  )
}

/** The list as it is written. */
export function TodoStreaming({ args }: StreamingProps) {
  const todos = todosIn(args)
  return todos === undefined ? null : <TodoList todos={todos} />
}

/** The list; on the whole page beside the one that it took the place of. */
export function TodoResult({ data, details, isWhole }: ResultProps) {
  const say = useSay()
  const before = listAt(details, "before")
  const todos = todosIn(data) ?? []
  if (!isWhole || before.length === 0) return <TodoList todos={todos} />
  return (
    <div className="haft-sides">
      <section>
        <p className="haft-dim">{say("before")}</p>
        <TodoList todos={before} />
      </section>
      <section>
        <p className="haft-dim">{say("after")}</p>
        <TodoList todos={todos} />
      </section>
    </div>
  )
}

function TodoList({ todos }: { readonly todos: readonly unknown[] }) {
  const own = useWords(words)
  if (todos.length === 0) return <Note>{own("listEmpty")}</Note>
  return (
    <ul className="haft-todos">
      {todos.slice(0, 500).map((todo, index) => {
        const status = statusOf(todo)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be called the same.
          <li key={index} data-status={status}>
            <span aria-hidden>{signs[status]}</span>
            <span>
              <PlainText text={textAt(todo, "content") ?? textAt(todo, "text") ?? ""} max={500} />
            </span>
            <span className="haft-dim">{own(`status.${status}`)}</span>
          </li>
        )
      })}
    </ul>
  )
}

function todosIn(value: unknown): readonly unknown[] | undefined {
  const lists = ["todos", "newTodos", "items"].map((key) => listAt(value, key))
  return lists.find(({ length }) => length > 0)
}

function statusOf(todo: unknown): Status {
  const status = textAt(todo, "status") ?? ""
  if (status === "processing") return "in_progress"
  return statuses.find((each) => each === status) ?? "pending"
}
