import { PlainText } from "@haft/faces"
import { Checkbox } from "@mantine/core"
import { useVirtualizer } from "@tanstack/react-virtual"
import { useEffect, useMemo, useRef } from "react"
import { setQuery, usePlace } from "../../app/router.js"
import { useKnown } from "../../app/workspace.js"
import { PhaseDot } from "../../parts/phase-dot.js"
import { ScrollRegion } from "../../parts/scroll-region.js"
import { ToolIcon, toolTitle } from "../../parts/tool-icon.js"
import { rowPhase } from "../../session/recorded-call.js"
import type { Timeline, TimelineRow } from "../../session/use-timeline.js"
import { useFormat } from "../../words/format.js"
import { useLanguage, useWords } from "../../words/words.js"
import classes from "./sessions.module.css"
import { sessionsWords } from "./sessions.words.js"

type Item =
  | { readonly kind: "turn"; readonly key: string; readonly text: string }
  | { readonly kind: "call"; readonly key: string; readonly call: TimelineRow; readonly index: number }

/** The calls in their order, below what the person had said. Only what is in sight is drawn. */
export function ActionList(props: {
  timeline: Timeline
  calls: readonly TimelineRow[]
  index: number
  choose: (index: number) => void
}) {
  const { timeline, calls, index, choose } = props
  const words = useWords(sessionsWords)
  const { query } = usePlace()
  const scroller = useRef<HTMLElement>(null)
  const items = useMemo(() => itemsOf(timeline, calls), [timeline, calls])
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 34,
    getItemKey: (at) => items[at]!.key,
    overscan: 8,
  })
  const place = items.findIndex((item) => item.kind === "call" && item.index === index)
  useEffect(() => {
    if (place >= 0) virtual.scrollToIndex(place, { align: "auto" })
  }, [place, virtual])
  return (
    <nav className={classes.actions} aria-label={words.actions}>
      <Checkbox
        className={classes.only}
        label={words.onlyProblems}
        checked={query.only === "notable"}
        onChange={(event) => setQuery({ only: event.currentTarget.checked ? "notable" : undefined })}
      />
      <ScrollRegion label={words.actions} className={classes.actionScroll} ref={scroller}>
        <div className={classes.canvas} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ key, index: at, start }) => {
            const item = items[at]!
            return (
              <div key={key} className={classes.slot} style={{ transform: `translateY(${start}px)` }}>
                {item.kind === "turn" ? (
                  <p className={classes.turn}>
                    <b>{words.turn}</b> <PlainText text={item.text} />
                  </p>
                ) : (
                  <Action item={item} isChosen={item.index === index} choose={() => choose(item.index)} />
                )}
              </div>
            )
          })}
        </div>
      </ScrollRegion>
    </nav>
  )
}

function Action(props: { item: Extract<Item, { kind: "call" }>; isChosen: boolean; choose: () => void }) {
  const { call, index } = props.item
  const format = useFormat()
  const language = useLanguage()
  const { tools } = useKnown()
  const tool = tools.at === "ready" ? tools.value.find(({ id }) => id === call.tool) : undefined
  return (
    <button
      type="button"
      className={classes.action}
      aria-current={props.isChosen ? "step" : undefined}
      onClick={props.choose}
    >
      <span className={classes.number}>{index + 1}</span>
      <ToolIcon kind={tool?.kind ?? "other"} />
      <span className={classes.actionName}>
        {tool ? toolTitle(tool, language) : <PlainText text={call.tool} max={80} />} <small>{call.subject}</small>
      </span>
      <PhaseDot phase={rowPhase(call)} />
      <small>{call.endedAt !== null && format.duration(call.endedAt - call.startedAt)}</small>
    </button>
  )
}

function itemsOf({ texts }: Timeline, calls: readonly TimelineRow[]): readonly Item[] {
  const seen = new Set<string>()
  return calls.flatMap((call, index) => {
    const item = { kind: "call" as const, key: call.callId, call, index }
    const { turnId } = call
    if (turnId === undefined || seen.has(turnId)) return [item]
    seen.add(turnId)
    return [{ kind: "turn" as const, key: `turn:${turnId}`, text: texts.get(turnId) ?? "" }, item]
  })
}
