import { useMediaQuery } from "@mantine/hooks"
import { Circle, CircleCheck, CircleDot, CircleMinus } from "lucide-react"
import type { ReactNode } from "react"
import { api } from "../../api/client.js"
import { useResource } from "../../api/resource.js"
import { addressOf, linkTo } from "../../app/router.js"
import { useOverview } from "../../session/overview.js"
import type { SessionStore } from "../../session/session-store.js"
import { shortPath } from "../../session/short-path.js"
import { useFormat } from "../../words/format.js"
import { useWords } from "../../words/words.js"
import classes from "./chat.module.css"
import { chatWords } from "./chat.words.js"

const todoIcons = { pending: Circle, in_progress: CircleDot, completed: CircleCheck, cancelled: CircleMinus } as const

/** What a conversation made: todo list, subagents, files, use. Where there is no room beside the talk it is folded. */
export function Panels(props: { store: SessionStore; version: number }) {
  const words = useWords(chatWords)
  const hasRoom = useMediaQuery("(min-width: 1001px)", undefined, { getInitialValueInEffect: false })
  if (hasRoom) return <AllPanels {...props} />
  const { todos, children } = props.store
  const done = todos.filter(({ status }) => status === "completed").length
  return (
    <details className={classes.folded}>
      <summary>
        {words.details} · {words.todo} {done}/{todos.length} · {words.children} {children.size}
      </summary>
      <AllPanels {...props} />
    </details>
  )
}

function AllPanels({ store }: { store: SessionStore; version: number }) {
  const words = useWords(chatWords)
  const format = useFormat()
  const done = store.todos.filter(({ status }) => status === "completed").length
  const { usage } = store
  return (
    <aside className={classes.panels} aria-label={words.details}>
      <Panel title={words.todo} note={store.todos.length > 0 ? `${done}/${store.todos.length}` : undefined}>
        {store.todos.length === 0 && <p>{words.todoNone}</p>}
        <ul>
          {store.todos.map((todo) => {
            const Icon = todoIcons[todo.status]
            return (
              <li key={todo.content} data-status={todo.status}>
                <Icon size={14} aria-label={words.todoStates[todo.status]} /> {todo.content}
              </li>
            )
          })}
        </ul>
      </Panel>
      <Panel title={words.children}>
        {store.children.size === 0 && <p>{words.childrenNone}</p>}
        <ul>
          {[...store.children.values()].map(({ id, agent, outcome }) => (
            <li key={id}>
              <a {...linkTo(addressOf(["chat", id]))}>{agent}</a>{" "}
              <span>{outcome ? words.ended[outcome.reason] : words.childStates.running}</span>
            </li>
          ))}
        </ul>
      </Panel>
      <FilesChanged store={store} />
      {usage && usage.inputTokens + usage.outputTokens > 0 && (
        <Panel title={words.use}>
          <p>
            {words.tokens(format.number(usage.inputTokens), format.number(usage.outputTokens))}
            {usage.cost !== undefined && ` · $${usage.cost.toFixed(3)}`}
          </p>
        </Panel>
      )}
      <a {...linkTo(addressOf(["sessions", store.session]))}>{words.openTimeline}</a>
    </aside>
  )
}

/** Asked for again whenever a call has ended. */
function FilesChanged({ store }: { store: SessionStore }) {
  const words = useWords(chatWords)
  const ended = store.callList().filter(({ endedAt }) => endedAt !== undefined)
  const last = ended.at(-1)?.id
  const [files] = useResource(last && `${store.session} ${last}`, (signal) => api.files(store.session, last!, signal))
  const directory = useOverview().open.find(({ id }) => id === store.session)?.directory
  const list = files.at === "ready" ? files.value.files.filter(({ state }) => state !== "unchanged") : []
  return (
    <Panel title={words.files}>
      {list.length === 0 && <p>{words.filesNone}</p>}
      <ul>
        {list.map(({ path, callId }) => (
          <li key={path}>
            <a
              title={path}
              {...linkTo(addressOf(["sessions", store.session], { call: callId ?? last, tab: "files", path }))}
            >
              {shortPath(path, directory)}
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Panel({ title, note, children }: { title: string; note?: string | undefined; children: ReactNode }) {
  return (
    <section className={classes.panel}>
      <h2>
        {title} {note !== undefined && <span>{note}</span>}
      </h2>
      {children}
    </section>
  )
}
