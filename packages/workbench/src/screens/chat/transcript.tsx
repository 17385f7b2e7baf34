import { Button } from "@mantine/core"
import { useVirtualizer } from "@tanstack/react-virtual"
import { ArrowDown } from "lucide-react"
import { type RefObject, useEffect, useMemo, useRef, useState } from "react"
import { useKnown } from "../../app/workspace.js"
import { ScrollRegion } from "../../parts/scroll-region.js"
import { Waiting } from "../../parts/states.js"
import type { SessionStore } from "../../session/session-store.js"
import { useWords } from "../../words/words.js"
import classes from "./chat.module.css"
import { chatWords } from "./chat.words.js"
import { RowView } from "./row-view.js"
import { rowsOf } from "./rows.js"

/** What was said and done. Only what is in sight is drawn; the end stays in sight while the person is there. */
export function Transcript({ store, version, isLive }: { store: SessionStore; version: number; isLive: boolean }) {
  const words = useWords(chatWords)
  const { tools } = useKnown()
  const kinds = useMemo(
    () => new Map(tools.at === "ready" ? tools.value.map(({ id, kind }) => [id, kind] as const) : []),
    [tools],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store changes in place and counts its versions.
  const rows = useMemo(() => rowsOf(store, (tool) => kinds.get(tool)), [store, version, kinds])
  const scroller = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 72,
    getItemKey: (index) => rows[index]!.key,
    overscan: 6,
  })
  const height = virtual.getTotalSize()
  const { follows, follow, scrolled } = useEndInSight(scroller, { height, version })
  if (rows.length === 0) return isLive ? <div className={classes.transcript} /> : <Waiting />
  return (
    <ScrollRegion
      label={words.conversation}
      className={classes.transcript}
      ref={scroller}
      onScroll={scrolled}
      role="log"
    >
      <div className={classes.canvas} style={{ height }}>
        {virtual.getVirtualItems().map((item) => (
          <div
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            className={classes.slot}
            style={{ transform: `translateY(${item.start}px)` }}
          >
            <RowView row={rows[item.index]!} store={store} />
          </div>
        ))}
      </div>
      {!follows && (
        <Button className={classes.newest} size="compact-xs" leftSection={<ArrowDown size={12} />} onClick={follow}>
          {words.showNewest}
        </Button>
      )}
    </ScrollRegion>
  )
}

/** Keeps the end in sight until the person scrolls back, and again once they return to it. */
function useEndInSight(scroller: RefObject<HTMLElement | null>, grown: { height: number; version: number }) {
  const [follows, setFollows] = useState(true)
  const { height, version } = grown
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it grows, the end is brought into sight.
  useEffect(() => {
    const element = scroller.current
    if (follows && element) element.scrollTop = element.scrollHeight
  }, [follows, height, version])
  const lastTop = useRef(0)
  const scrolled = () => {
    const { scrollTop, scrollHeight, clientHeight } = scroller.current!
    // Only a person scrolls back; what grows moves the end away and not the place.
    if (scrollHeight - scrollTop - clientHeight < 48) setFollows(true)
    else if (scrollTop < lastTop.current) setFollows(false)
    lastTop.current = scrollTop
  }
  return { follows, follow: () => setFollows(true), scrolled }
}
