import { Rewind } from "lucide-react"
import { useEffect, useMemo, useState } from "react"
import { useKeys } from "../../app/keys.js"
import { setQuery, usePlace } from "../../app/router.js"
import { Loaded, Notice, Waiting } from "../../parts/states.js"
import { UnknownSession } from "../../parts/unknown-session.js"
import { isNotable } from "../../session/recorded-call.js"
import { type Timeline as TimelineOf, useTimeline } from "../../session/use-timeline.js"
import { useWords } from "../../words/words.js"
import { ActionList } from "./action-list.js"
import { CallDetail } from "./call-detail.js"
import { Scrubber } from "./scrubber.js"
import { SessionHead } from "./session-head.js"
import classes from "./sessions.module.css"
import { sessionsWords } from "./sessions.words.js"

/** One session from the journal: a line of time, its calls, and everything about the chosen one. */
export function SessionView({ id }: { id: string }) {
  const [timeline, retry] = useTimeline(id)
  if (timeline.at === "failed" && timeline.error.status === 404) return <UnknownSession id={id} />
  return (
    <Loaded resource={timeline} retry={retry}>
      {(value) => <Timeline timeline={value} changed={retry} />}
    </Loaded>
  )
}

function Timeline({ timeline, changed }: { timeline: TimelineOf; changed: () => void }) {
  const words = useWords(sessionsWords)
  const { query } = usePlace()
  const isFiltered = query.only === "notable"
  const calls = useMemo(() => (isFiltered ? timeline.calls.filter(isNotable) : timeline.calls), [timeline, isFiltered])
  const found = calls.findIndex(({ callId }) => callId === query.call)
  const index = found < 0 ? Math.max(0, calls.length - 1) : found
  const choose = (next: number) => setQuery({ call: calls[next]?.callId })
  const [isPlaying, setPlaying] = useReplay(calls.length, index, choose)
  useKeys({
    next: () => choose(Math.min(calls.length - 1, index + 1)),
    previous: () => choose(Math.max(0, index - 1)),
  })
  const call = calls[index]
  // The newest call is known when all pages are here; one that was asked for, as soon as it is.
  const isReady = timeline.isWhole || found >= 0
  return (
    <div className={classes.session}>
      <SessionHead
        timeline={timeline}
        call={call}
        isPlaying={isPlaying}
        play={() => {
          if (!isPlaying && index === calls.length - 1) choose(0)
          setPlaying(!isPlaying)
        }}
      />
      {timeline.calls.length === 0 && timeline.isWhole ? (
        <Notice icon={Rewind} title={words.noCalls}>
          {words.noCallsNext}
        </Notice>
      ) : (
        <>
          <Scrubber calls={calls} index={index} choose={choose} />
          <div className={classes.split}>
            <ActionList timeline={timeline} calls={calls} index={index} choose={choose} />
            {call && isReady ? (
              <CallDetail session={timeline.session} row={call} changed={changed} />
            ) : (
              <section className={classes.detail}>
                <Waiting />
              </section>
            )}
          </div>
        </>
      )}
    </div>
  )
}

const stepMs = 900

/** Walks through the recorded calls; nothing runs. */
function useReplay(length: number, index: number, choose: (index: number) => void) {
  const [isPlaying, setPlaying] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step arms the next.
  useEffect(() => {
    if (!isPlaying) return
    const timer = setTimeout(() => (index + 1 < length ? choose(index + 1) : setPlaying(false)), stepMs)
    return () => clearTimeout(timer)
  }, [isPlaying, index, length])
  return [isPlaying, setPlaying] as const
}
