import { useSentence } from "@haft/faces"
import { Button, Skeleton } from "@mantine/core"
import { type LucideIcon, ShieldX, TriangleAlert } from "lucide-react"
import type { ReactNode } from "react"
import type { RequestError } from "../api/request.js"
import type { Resource } from "../api/resource.js"
import { useWords } from "../words/words.js"
import classes from "./states.module.css"
import { stateWords } from "./states.words.js"

/** Draws a resource: its value when it is there, else that it is loading or why it failed. */
export function Loaded<Value>(props: {
  resource: Resource<Value>
  retry?: () => void
  lines?: number
  children: (value: Value) => ReactNode
}) {
  const { resource, retry, lines = 6 } = props
  if (resource.at === "ready") return props.children(resource.value)
  return resource.at === "loading" ? (
    <Waiting lines={lines} />
  ) : (
    <Failed error={resource.error} {...(retry && { retry })} />
  )
}

/** Grey lines where something will be. */
export function Waiting({ lines = 6 }: { lines?: number }) {
  const words = useWords(stateWords)
  return (
    <div className={classes.waiting} role="status" aria-label={words.loading}>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move.
        <Skeleton key={index} height={14} width={`${92 - ((index * 17) % 40)}%`} radius="sm" />
      ))}
    </div>
  )
}

/** What the server said no to, with the next step. */
export function Failed({ error, retry }: { error: RequestError; retry?: () => void }) {
  const words = useWords(stateWords)
  const sentence = useSentence()
  const isDenied = error.code === "denied" || error.status === 403
  const title = error.status === 0 ? words.offline : isDenied ? words.denied : words.failed
  return (
    <Notice icon={isDenied ? ShieldX : TriangleAlert} tone="bad" title={title}>
      {error.status !== 0 && <p>{sentence(error.message)}</p>}
      {error.hint !== undefined && <p>{sentence(error.hint)}</p>}
      {retry && (
        <Button variant="default" onClick={retry}>
          {words.retry}
        </Button>
      )}
    </Notice>
  )
}

/** A calm sentence in the middle of an empty place, with what to do next. */
export function Notice(props: { icon: LucideIcon; title: string; tone?: "plain" | "bad"; children?: ReactNode }) {
  const { icon: Icon, title, tone = "plain", children } = props
  return (
    <div className={classes.notice} data-tone={tone} role={tone === "bad" ? "alert" : undefined}>
      <span className={classes.mark}>
        <Icon size={20} aria-hidden />
      </span>
      <h2 className={classes.title}>{title}</h2>
      <div className={classes.text}>{children}</div>
    </div>
  )
}
