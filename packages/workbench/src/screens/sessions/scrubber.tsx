import { visibleText } from "@haft/faces"
import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from "react"
import { isNotable, rowPhase } from "../../session/recorded-call.js"
import type { TimelineRow } from "../../session/use-timeline.js"
import { useFormat } from "../../words/format.js"
import { useWords } from "../../words/words.js"
import classes from "./sessions.module.css"
import { sessionsWords } from "./sessions.words.js"
import { type Span, timeScale } from "./time-scale.js"

/** The calls on a line of time. Dragging and keys move the moment. */
export function Scrubber(props: { calls: readonly TimelineRow[]; index: number; choose: (index: number) => void }) {
  const { calls, index, choose } = props
  const words = useWords(sessionsWords)
  const format = useFormat()
  const line = useRef<HTMLDivElement>(null)
  const places = useMemo(
    () => timeScale(calls.map(({ startedAt, endedAt }) => ({ start: startedAt, end: endedAt ?? startedAt }))),
    [calls],
  )
  const drag = (event: PointerEvent) => {
    if (event.buttons === 0 && event.type === "pointermove") return
    const { left, width } = line.current!.getBoundingClientRect()
    const x = (event.clientX - left) / width
    const near = places.findLastIndex(({ start }) => start <= x)
    choose(Math.max(0, near))
  }
  const press = (event: KeyboardEvent) => {
    const next = target(event.key, calls, index)
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  const current = places[index]
  return (
    <div
      className={classes.scrubber}
      role="slider"
      tabIndex={0}
      aria-label={words.scrub}
      aria-valuemin={1}
      aria-valuemax={calls.length}
      aria-valuenow={index + 1}
      aria-valuetext={words.at(index + 1, calls.length, visibleText(calls[index]?.name ?? ""))}
      title={words.scrubHow}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        drag(event)
      }}
      onPointerMove={drag}
    >
      <div className={classes.line} ref={line}>
        <Bars calls={calls} places={places} />
        {current && <span className={classes.hand} style={{ left: `${current.start * 100}%` }} />}
      </div>
      <div className={classes.ticks} aria-hidden>
        {ticks(places).map((at) => (
          <span key={at} style={{ left: `${places[at]!.start * 100}%` }}>
            {format.duration(calls[at]!.startedAt - calls[0]!.startedAt)}
          </span>
        ))}
      </div>
    </div>
  )
}

// More bars than pixels help nobody: neighbours then share one.
const maxBars = 600

function Bars({ calls, places }: { calls: readonly TimelineRow[]; places: readonly Span[] }) {
  const every = Math.ceil(calls.length / maxBars)
  return calls.map((call, at) =>
    at % every === 0 ? (
      <span
        key={call.callId}
        className={classes.bar}
        data-phase={rowPhase(call)}
        data-asked={call.asked}
        data-child={call.child !== undefined || undefined}
        title={`${at + 1}. ${visibleText(call.name)} ${call.subject}`}
        style={{ left: `${places[at]!.start * 100}%`, width: `${(places[at]!.end - places[at]!.start) * 100}%` }}
      />
    ) : null,
  )
}

// A label takes so much of a narrow line.
const tickApart = 0.2

/** The calls under which the time is written: the first, and each that is far enough from the one before. */
function ticks(places: readonly Span[]): readonly number[] {
  const chosen: number[] = []
  for (const [at, { start }] of places.entries()) {
    const last = chosen.at(-1)
    const isFar = last === undefined || start - places[last]!.start >= tickApart
    if (isFar && start <= 1 - tickApart) chosen.push(at)
  }
  return chosen
}

function target(key: string, calls: readonly TimelineRow[], index: number): number | undefined {
  const last = calls.length - 1
  if (key === "ArrowRight" || key === "ArrowDown") return Math.min(last, index + 1)
  if (key === "ArrowLeft" || key === "ArrowUp") return Math.max(0, index - 1)
  if (key === "Home") return 0
  if (key === "End") return last
  if (key === "]") return found(calls.findIndex((call, at) => at > index && isNotable(call)))
  if (key === "[") return found(calls.findLastIndex((call, at) => at < index && isNotable(call)))
  return undefined
}

function found(index: number): number | undefined {
  return index < 0 ? undefined : index
}
