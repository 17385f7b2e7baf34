import type { SessionEvent } from "@haft/contract"
import { useEffect, useState } from "react"
import { sessionTopic, streams } from "../api/client.js"
import type { Frame } from "../api/read-frames.js"
import type { RequestError } from "../api/request.js"
import { SessionStore } from "./session-store.js"

/** A session as it is now. */
export interface LiveSession {
  readonly store: SessionStore
  /** False until what the journal has is here. */
  readonly isLive: boolean
  readonly error?: RequestError
}

/** Follows a session; draws again at most once a frame, however much happens. */
export function useSession(id: string | undefined): LiveSession | undefined {
  const [session, setSession] = useState<LiveSession & { id: string }>()
  useEffect(() => {
    if (id === undefined) return
    const follower = new Follower(id, (live) => setSession({ ...live, id }))
    return () => follower.close()
  }, [id])
  return session?.id === id ? session : undefined
}

/** Takes the frames of one session. After a reset the old view stays until the new one is complete. */
class Follower {
  private shown: SessionStore
  private next: SessionStore | undefined
  private isLive = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly unsubscribe: () => void

  constructor(
    private readonly id: string,
    private readonly draw: (session: LiveSession) => void,
  ) {
    this.shown = new SessionStore(id)
    this.unsubscribe = streams.subscribe(sessionTopic(id), {
      frame: (frame) => this.take(frame),
      refused: (error) => draw({ store: this.shown, isLive: false, error }),
    })
  }

  close(): void {
    clearTimeout(this.timer)
    this.unsubscribe()
  }

  private take({ event, data }: Frame): void {
    if (event === "reset") this.next = new SessionStore(this.id)
    else if (event === "event") (this.next ?? this.shown).apply(data as SessionEvent)
    else if (event === "live") {
      this.shown = this.next ?? this.shown
      this.next = undefined
      this.isLive = true
    }
    if (!this.isLive && this.next) this.shown = this.next
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.draw({ store: this.shown, isLive: this.isLive })
    }, 32)
  }
}
