import type { Frame } from "./read-frames.js"
import { RequestError } from "./request.js"
import { Stream, type StreamReader } from "./stream.js"

/** What a tab gets of a stream that it asked for. */
export interface TopicReader {
  frame(frame: Frame): void
  refused?(error: RequestError): void
}

/** What tabs say to each other. A topic is the path of a stream. */
type Message =
  | { readonly say: "want"; readonly tab: string; readonly topics: readonly string[]; readonly added?: string }
  | { readonly say: "leading" }
  | { readonly say: "retry" }
  | { readonly say: "connected"; readonly isConnected: boolean }
  | { readonly say: "frame"; readonly topic: string; readonly frame: Frame }
  | {
      readonly say: "refused"
      readonly topic: string
      readonly status: number
      readonly code: string
      readonly message: string
    }

// A browser opens six connections to one origin: these, two for calls that wait, and one for everything else.
const maxStreams = 3
const sweepMs = 5000

/**
 * The event streams of all tabs of this browser. One tab, which holds a lock, reads them for the others; when it is closed,
 * the lock goes to another one.
 */
export class SharedStreams {
  private readonly tab = crypto.randomUUID()
  private readonly channel = new BroadcastChannel("haft.streams")
  private readonly readers = new Map<string, Set<TopicReader>>()
  private readonly wanted = new Map<string, readonly string[]>()
  private readonly streams = new Map<string, Stream>()
  /** The last place of every stream that was read; it is kept when the stream is closed. */
  private readonly cursors = new Map<string, string>()
  private isLeading = false
  private isConnected: boolean | undefined
  private readonly watchers = new Set<(isConnected: boolean) => void>()

  constructor() {
    this.channel.onmessage = ({ data }) => this.hear(data as Message)
    // Held while the tab lives, so that the leader notices tabs that went without a word.
    void navigator.locks.request(tabLock(this.tab), () => new Promise(() => undefined))
    void navigator.locks.request("haft.leader", () => this.lead())
    // What was left out for other tabs is wanted again where the person is.
    addEventListener("focus", () => this.sayWanted())
    addEventListener("pagehide", () => this.say({ say: "want", tab: this.tab, topics: [] }))
  }

  /**
   * Gives the frames of a stream to the reader until the returned function is called: from the beginning, or where somebody
   * in this browser has read up to already.
   */
  subscribe(topic: string, reader: TopicReader, from: "beginning" | "cursor" = "beginning"): () => void {
    const readers = this.readers.get(topic) ?? new Set()
    this.readers.set(topic, readers.add(reader))
    this.sayWanted(from === "beginning" ? topic : undefined)
    return () => {
      readers.delete(reader)
      if (readers.size === 0) this.readers.delete(topic)
      this.sayWanted()
    }
  }

  /** Calls back when the server is lost and when it is found again. */
  watchConnection(changed: (isConnected: boolean) => void): () => void {
    this.watchers.add(changed)
    if (this.isConnected !== undefined) changed(this.isConnected)
    return () => this.watchers.delete(changed)
  }

  retry(): void {
    this.say({ say: "retry" })
  }

  /** Wants everything again that was refused, for instance with a token that was wrong. */
  renew(): void {
    this.sayWanted()
  }

  private sayWanted(added?: string): void {
    this.say({ say: "want", tab: this.tab, topics: [...this.readers.keys()], ...(added !== undefined && { added }) })
  }

  private say(message: Message): void {
    this.channel.postMessage(message)
    this.hear(message)
  }

  private hear(message: Message): void {
    switch (message.say) {
      case "frame":
        for (const reader of this.readers.get(message.topic) ?? []) reader.frame(message.frame)
        return
      case "refused":
        for (const reader of this.readers.get(message.topic) ?? []) {
          reader.refused?.(new RequestError(message.status, message.code, message.message))
        }
        return
      case "connected":
        this.noteConnection(message.isConnected)
        return
      case "leading":
        if (!this.isLeading) this.sayWanted()
        return
      case "want":
        if (this.isLeading) this.serve(message)
        return
      case "retry":
        for (const stream of this.streams.values()) stream.retry()
    }
  }

  private noteConnection(isConnected: boolean): void {
    if (this.isConnected === isConnected) return
    this.isConnected = isConnected
    for (const changed of this.watchers) changed(isConnected)
  }

  /** Never resolves: the lock is given back when the tab is closed. */
  private lead(): Promise<void> {
    this.isLeading = true
    this.say({ say: "leading" })
    this.sayWanted()
    setInterval(() => void this.forgetClosedTabs(), sweepMs)
    return new Promise(() => undefined)
  }

  private serve({ tab, topics, added }: Extract<Message, { say: "want" }>): void {
    this.wanted.delete(tab)
    if (topics.length > 0) this.wanted.set(tab, topics)
    if (added !== undefined) {
      this.cursors.delete(added)
      this.streams.get(added)?.restart()
    }
    this.openAndClose()
  }

  /** Reads what is wanted; when that is too much, what was asked for last. */
  private openAndClose(): void {
    const latest = [...new Set([...this.wanted.values()].reverse().flat())]
    const needed = new Set(latest.slice(0, maxStreams))
    for (const [topic, stream] of this.streams) {
      if (needed.has(topic)) continue
      stream.close()
      this.streams.delete(topic)
    }
    for (const topic of needed) if (!this.streams.has(topic)) this.streams.set(topic, this.open(topic))
  }

  private open(topic: string): Stream {
    const reader: StreamReader = {
      frame: (frame) => {
        if (frame.id !== undefined) this.cursors.set(topic, frame.id)
        this.say({ say: "frame", topic, frame })
      },
      connected: (isConnected) => this.say({ say: "connected", isConnected }),
      refused: ({ status, code, message }) => {
        this.streams.delete(topic)
        this.cursors.delete(topic)
        this.say({ say: "refused", topic, status, code, message })
      },
    }
    return new Stream(topic, reader, this.cursors.get(topic))
  }

  private async forgetClosedTabs(): Promise<void> {
    const { held = [] } = await navigator.locks.query()
    const alive = new Set(held.map(({ name }) => name))
    for (const tab of this.wanted.keys()) if (!alive.has(tabLock(tab))) this.wanted.delete(tab)
    this.openAndClose()
  }
}

function tabLock(tab: string): string {
  return `haft.tab.${tab}`
}
