import type { ApiSession, ApiTimeline, ApiTimelineCall } from "@haft/contract"
import { useCallback, useEffect, useRef, useState } from "react"
import { api } from "../api/client.js"
import type { RequestError } from "../api/request.js"
import type { Resource } from "../api/resource.js"

/** A call of the timeline with what other records say about it. */
export interface TimelineRow extends ApiTimelineCall {
  readonly turnId?: string
  /** The session of the subagent that it started. */
  readonly child?: string
  readonly undoneAt?: number
}

/** The rows of a session, by their start. */
export interface Timeline {
  readonly session: ApiSession
  readonly calls: readonly TimelineRow[]
  /** What the person had said, by turn. */
  readonly texts: ReadonlyMap<string, string>
  /** False while more pages come. */
  readonly isWhole: boolean
}

const lookMs = 1000
const restingLookMs = 5000

/** The timeline, page by page; what is recorded later, here or by another process, follows while the page is in sight. */
export function useTimeline(id: string): readonly [Resource<Timeline>, () => void] {
  const [timeline, setTimeline] = useState<Resource<Timeline>>({ at: "loading" })
  const reader = useRef<TimelineReader>(undefined)
  useEffect(() => {
    const mine = new TimelineReader(id, setTimeline)
    reader.current = mine
    return () => mine.close()
  }, [id])
  return [timeline, useCallback(() => reader.current?.look(), [])]
}

class TimelineReader {
  private readonly rows = new Map<string, TimelineRow>()
  private readonly texts = new Map<string, string>()
  private readonly turns = new Map<string, string>()
  private readonly children = new Map<string, string>()
  private readonly undone = new Map<string, number>()
  private session: ApiSession | undefined
  private next: string | undefined
  private readonly ended = new AbortController()
  private wake: () => void = () => undefined

  constructor(
    private readonly id: string,
    private readonly draw: (timeline: Resource<Timeline>) => void,
  ) {
    void this.run()
  }

  close(): void {
    this.ended.abort()
    this.wake()
  }

  /** Looks now instead of after the pause. */
  look(): void {
    this.wake()
  }

  private async run(): Promise<void> {
    const { signal } = this.ended
    while (!signal.aborted) {
      const page = await api.timeline(this.id, this.next, signal).catch((error: RequestError) => {
        // What is shown stays: the bar says that the server is away.
        if (!signal.aborted && !this.session) this.draw({ at: "failed", error })
        return undefined
      })
      if (signal.aborted) return
      if (page) this.take(page)
      if (!page?.more) await this.pause(this.session?.state === "open" || this.session?.state === "elsewhere")
    }
  }

  private take(page: ApiTimeline): void {
    const { calls, turns, undone, children, session, next, more } = page
    const isSame = this.next === next && this.session?.state === session.state
    this.next = next
    this.session = session
    if (isSame) return
    for (const call of calls) this.rows.set(call.callId, call)
    for (const { turnId, text, replies } of turns) {
      if (text !== undefined) this.texts.set(turnId, text)
      for (const reply of replies) for (const call of reply.calls) this.turns.set(call, turnId)
    }
    for (const { id, callId } of children) if (callId !== undefined) this.children.set(callId, id)
    for (const { callId, at } of undone) this.undone.set(callId, at)
    const rows = [...this.rows.values()].map((row) => this.whole(row))
    const sorted = rows.sort((one, other) => one.startedAt - other.startedAt)
    this.draw({ at: "ready", value: { session, calls: sorted, texts: this.texts, isWhole: !more } })
  }

  private whole(row: TimelineRow): TimelineRow {
    const turnId = this.turns.get(row.callId)
    const child = this.children.get(row.callId)
    const undoneAt = this.undone.get(row.callId)
    return {
      ...row,
      ...(turnId !== undefined && { turnId }),
      ...(child !== undefined && { child }),
      ...(undoneAt !== undefined && { undoneAt }),
    }
  }

  /** Until it is time to look again. A page that nobody sees does not look. */
  private async pause(isBusy: boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, isBusy ? lookMs : restingLookMs)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    if (document.visibilityState === "visible" || this.ended.signal.aborted) return
    await new Promise<void>((resolve) => {
      this.wake = resolve
      document.addEventListener("visibilitychange", () => resolve(), { once: true, signal: this.ended.signal })
    })
  }
}
