import { Sentence } from "@haft/faces"
import { useState } from "react"
import { api } from "../../api/client.js"
import type { RequestError } from "../../api/request.js"
import { useKnown } from "../../app/workspace.js"
import { Call } from "../../parts/call.js"
import { Failed, Waiting } from "../../parts/states.js"
import { UnknownSession } from "../../parts/unknown-session.js"
import { useOverview } from "../../session/overview.js"
import type { SessionStore } from "../../session/session-store.js"
import { type LiveSession, useSession } from "../../session/use-session.js"
import { useWords } from "../../words/words.js"
import classes from "./chat.module.css"
import { chatWords } from "./chat.words.js"
import { Composer } from "./composer.js"
import { Panels } from "./panels.js"
import { Transcript } from "./transcript.js"

/** One conversation: what was said and done, what waits for the person, where they write, and panels beside it. */
export function Conversation({ id }: { id: string }) {
  const live = useSession(id)
  if (live?.error?.status === 404) return <UnknownSession id={id} />
  if (live?.error) return <Failed error={live.error} />
  if (!live) return <Waiting />
  return <Talk id={id} live={live} />
}

function Talk({ id, live }: { id: string; live: LiveSession }) {
  const { store } = live
  const [error, setError] = useState<RequestError>()
  const send = async (text: string) => {
    setError(undefined)
    await api.message(id, text).catch((problem: RequestError) => {
      setError(problem)
      throw problem
    })
  }
  return (
    <div className={classes.chat}>
      <section className={classes.talk}>
        <Transcript store={store} version={store.version} isLive={live.isLive} />
        <Asks store={store} />
        {error && <Failed error={error} />}
        <Writing store={store} send={send} />
      </section>
      <Panels store={store} version={store.version} />
    </div>
  )
}

/** What waits for an answer, of this session and of those that work for it. The focus stays where it is. */
function Asks({ store }: { store: SessionStore }) {
  const words = useWords(chatWords)
  const waiting = useOverview().asks.filter(({ session }) => session === store.session || store.children.has(session))
  if (waiting.length === 0) return null
  return (
    <section className={classes.asks} aria-label={words.waits(waiting.length)} aria-live="polite">
      {waiting.map((ask) => {
        const known = store.calls.get(ask.call)
        const call = known ?? { id: ask.call, tool: ask.kind === "ask" ? ask.request.tool : "", startedAt: ask.since }
        const asked =
          ask.kind === "ask" ? { request: ask.request, arguments: ask.request.arguments } : { questions: ask.questions }
        return <Call key={ask.id} session={ask.session} call={{ ...call, ...asked, phase: "awaiting-approval" }} />
      })}
    </section>
  )
}

function Writing({ store, send }: { store: SessionStore; send: (text: string) => Promise<void> }) {
  const words = useWords(chatWords)
  const { workspace } = useKnown()
  const stop = () => void api.abort(store.session)
  if (store.turn !== undefined) return <Composer send={send} stop={stop} />
  const chat = workspace.at === "ready" ? workspace.value.chat : undefined
  if (chat && !chat.available) {
    return (
      <p className={classes.closed}>
        {words.noModel}: {chat.hint !== undefined && <Sentence text={chat.hint} />}
      </p>
    )
  }
  return <Composer send={send} />
}
