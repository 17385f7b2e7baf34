import type { Readable } from "node:stream"

/**
 * Reads a stream that takes nothing ahead. After a small piece it lets the writer go on for a moment, so that many small
 * writes arrive as one; a large piece is followed at once, because the pipe may be full. `hurry` ends all waiting.
 */
export async function* readInPortions(stream: Readable, hurry: AbortSignal): AsyncGenerator<Buffer, void> {
  const changed = createEvent()
  const events = ["readable", "end", "error", "close"] as const
  let failure: unknown
  stream.on("error", (error) => {
    failure = error
  })
  for (const event of events) stream.on(event, changed.set)
  try {
    for (;;) {
      const piece = stream.read() as Buffer | null
      if (failure !== undefined) throw failure
      if (piece !== null) {
        yield piece
        if (piece.length < smallBytes && !hurry.aborted) await pause(hurry)
      } else if (stream.readableEnded || stream.destroyed) return
      else await changed.wait()
    }
  } finally {
    for (const event of events) stream.off(event, changed.set)
    // A reader that leaves early would otherwise keep the pipe open.
    stream.destroy()
  }
}

// ripgrep writes a little less than 8 KB at a time where it collects its output; what is far below comes hit by hit.
const smallBytes = 4096
const pauseMs = 5

function pause(hurry: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      hurry.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, pauseMs)
    hurry.addEventListener("abort", end, { once: true })
  })
}

/** An event that also wakes a waiter who comes after it was set. */
function createEvent(): { set(): void; wait(): Promise<void> } {
  let isSet = false
  let wake: (() => void) | undefined
  return {
    set() {
      isSet = true
      wake?.()
    },
    async wait() {
      if (!isSet) await new Promise<void>((resolve) => (wake = resolve))
      isSet = false
      wake = undefined
    },
  }
}
