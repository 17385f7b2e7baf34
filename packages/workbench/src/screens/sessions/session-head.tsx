import type { ApiSession } from "@haft/contract"
import { useSentence } from "@haft/faces"
import { Button, Tooltip } from "@mantine/core"
import { ArrowLeft, Download, GitFork, MessageSquare, Pause, Play } from "lucide-react"
import { useState } from "react"
import { api } from "../../api/client.js"
import type { RequestError } from "../../api/request.js"
import { useResource } from "../../api/resource.js"
import { addressOf, go, linkTo } from "../../app/router.js"
import { StateBadge } from "../../parts/state-badge.js"
import { Failed } from "../../parts/states.js"
import type { Timeline, TimelineRow } from "../../session/use-timeline.js"
import { useWords } from "../../words/words.js"
import classes from "./sessions.module.css"
import { sessionsWords } from "./sessions.words.js"

/** The name of a session and what can be done with it. */
export function SessionHead(props: {
  timeline: Timeline
  call: TimelineRow | undefined
  isPlaying: boolean
  play: () => void
}) {
  const { timeline, call, isPlaying, play } = props
  const { session } = timeline
  const words = useWords(sessionsWords)
  const [error, setError] = useState<RequestError>()
  const fork = () => api.fork(session.id, call?.callId).then(({ id }) => go(addressOf(["sessions", id])), setError)
  const save = () => api.exportSession(session.id).then((blob) => download(blob, `${session.id}.jsonl`), setError)
  return (
    <header className={classes.head}>
      <a {...linkTo("/sessions")}>
        <ArrowLeft size={16} aria-label={words.back} />
      </a>
      <h2>{session.title ?? words.untitled}</h2>
      <code>{session.id.slice(0, 12)}</code>
      {session.state === "open" && <StateBadge tone="good" text={words.live} />}
      {session.state === "elsewhere" && <StateBadge tone="warn" text={words.states.elsewhere} />}
      <Chain session={session} />
      <Origin session={session} />
      <div className={classes.headActions}>
        <Button
          variant="default"
          leftSection={isPlaying ? <Pause size={14} /> : <Play size={14} />}
          onClick={play}
          disabled={timeline.calls.length === 0}
        >
          {isPlaying ? words.pause : words.replay}
        </Button>
        <Tooltip label={words.forkWhat}>
          <Button variant="default" leftSection={<GitFork size={14} />} onClick={() => void fork()} disabled={!call}>
            {words.fork}
          </Button>
        </Tooltip>
        <Button variant="default" leftSection={<Download size={14} />} onClick={() => void save()}>
          {words.export}
        </Button>
        <Button
          variant="default"
          leftSection={<MessageSquare size={14} />}
          component="a"
          {...linkTo(addressOf(["chat", session.id]))}
        >
          {words.chat}
        </Button>
      </div>
      {error && <Failed error={error} />}
    </header>
  )
}

/** Whether nobody touched the record. */
function Chain({ session }: { session: ApiSession }) {
  const words = useWords(sessionsWords)
  const sentence = useSentence()
  const [chain] = useResource(session.id, (signal) => api.chain(session.id, signal))
  if (chain.at !== "ready") return null
  const { ok, message = words.chainBad } = chain.value
  return <StateBadge tone={ok ? "good" : "bad"} text={ok ? words.chainGood : sentence(message)} />
}

function Origin({ session: { parentId, forkedFrom } }: { session: ApiSession }) {
  const words = useWords(sessionsWords)
  const from = forkedFrom?.session ?? parentId
  if (from === undefined) return null
  return (
    <span>
      {forkedFrom ? words.forkedFrom : words.parent}{" "}
      <a {...linkTo(addressOf(["sessions", from]))}>{from.slice(0, 12)}</a>
    </span>
  )
}

function download(blob: Blob, name: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
