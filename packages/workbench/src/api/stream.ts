import { type Frame, readFrames } from "./read-frames.js"
import { RequestError, send } from "./request.js"

/** What a stream tells its reader. */
export interface StreamReader {
  frame(frame: Frame): void
  /** False while the server does not answer. */
  connected(isConnected: boolean): void
  /** The server will never give this stream: there is no such session, or the token is wrong. */
  refused(error: RequestError): void
}

const firstPauseMs = 250
const longestPauseMs = 5000

/** An event stream that goes on where it was after every loss, until it is closed. */
export class Stream {
  private readonly ended = new AbortController()
  private wake: () => void = () => undefined
  private restarted: AbortController | undefined

  constructor(
    private readonly path: string,
    private readonly reader: StreamReader,
    /** Where to go on; from the beginning without it. */
    private cursor: string | undefined,
  ) {
    void this.run()
  }

  close(): void {
    this.ended.abort()
    this.wake()
  }

  /** Reads everything again from the beginning, for a reader that came later. */
  restart(): void {
    this.cursor = undefined
    this.restarted?.abort()
    this.wake()
  }

  /** Tries now instead of after the pause. */
  retry(): void {
    this.wake()
  }

  private async run(): Promise<void> {
    let pauseMs = firstPauseMs
    while (!this.ended.signal.aborted) {
      const again = new AbortController()
      this.restarted = again
      const outcome = await this.readOnce(AbortSignal.any([this.ended.signal, again.signal]))
      if (outcome === "refused") return
      if (again.signal.aborted) continue
      if (outcome === "lost") this.reader.connected(false)
      else pauseMs = firstPauseMs
      await this.pause(pauseMs)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }

  private async readOnce(signal: AbortSignal): Promise<"ended" | "lost" | "refused"> {
    let isConnected = false
    try {
      const from = this.cursor === undefined ? "" : `?from=${encodeURIComponent(this.cursor)}`
      const response = await send("GET", this.path + from, { signal })
      isConnected = true
      this.reader.connected(true)
      for await (const frame of readFrames(response.body!)) {
        if (frame.id !== undefined) this.cursor = frame.id
        else if (frame.event === "reset") this.cursor = undefined
        this.reader.frame(frame)
      }
      return "ended"
    } catch (error) {
      if (error instanceof RequestError && error.status >= 400 && error.status < 500) {
        this.reader.refused(error)
        return "refused"
      }
      return isConnected ? "ended" : "lost"
    }
  }

  private pause(ms: number): Promise<void> {
    if (this.ended.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
