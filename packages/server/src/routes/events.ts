import { type ApiOverview, ToolError } from "@haft/contract"
import type { Hono } from "hono"
import { namedFrame, readCursor, sessionFrames } from "../events/session-stream.js"
import { sseResponse } from "../events/sse.js"
import { describeAll, sessionNamed } from "../session/describe-session.js"
import type { App } from "./route.js"

// Each holds a socket. Tabs of one browser share one.
const maxStreams = 512
const pingMs = 15_000

/** Streams: the events of a session, and what is pending here. */
export function eventRoutes(hono: Hono, app: App): void {
  const { host, sessions, inbox, stopped } = app
  let streams = 0
  const begin = (signal: AbortSignal) => {
    if (streams >= maxStreams) {
      throw new ToolError("rate_limited", `Cannot open another stream: ${maxStreams} are open`, {
        hint: "Close a page",
      })
    }
    streams += 1
    const over = new AbortController()
    return {
      signal: AbortSignal.any([signal, over.signal]),
      end: () => {
        if (over.signal.aborted) return
        over.abort()
        streams -= 1
      },
    }
  }

  hono.get("/api/sessions/:id/events", async (context) => {
    const journal = await host.journal()
    const { id } = await sessionNamed(context.req.param("id"), journal)
    if (context.req.method === "HEAD") return context.body(null, 200, { "Content-Type": "text/event-stream" })
    const cursor = readCursor(id, context.req.query("from") ?? context.req.header("last-event-id"))
    const { signal, end } = begin(context.req.raw.signal)
    const { log, followed, done } = await sessions.read(id)
    const frames = sessionFrames({ session: id, log, journal, followed, cursor, signal })
    return sseResponse(
      frames,
      once(() => {
        end()
        done()
      }),
    )
  })

  hono.get("/api/events", async (context) => {
    if (context.req.method === "HEAD") return context.body(null, 200, { "Content-Type": "text/event-stream" })
    const { signal, end } = begin(context.req.raw.signal)
    const overview = async (): Promise<ApiOverview> => ({
      asks: inbox.list(),
      open: await describeAll(sessions, await host.journal()),
    })
    const listen = (changed: () => void) => {
      const stops = [inbox.listen(changed), sessions.listen(changed)]
      return () => {
        for (const stop of stops) stop()
      }
    }
    return sseResponse(overviewFrames(overview, listen, AbortSignal.any([signal, stopped])), once(end))
  })
}

/** What is pending, whole, now and after each change; changes while a frame is on its way are one. */
async function* overviewFrames(
  overview: () => Promise<ApiOverview>,
  listen: (changed: () => void) => () => void,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let isChanged = true
  let wake: () => void = () => undefined
  const stop = listen(() => {
    isChanged = true
    wake()
  })
  const abort = () => wake()
  signal.addEventListener("abort", abort)
  try {
    while (!signal.aborted) {
      if (isChanged) {
        isChanged = false
        yield namedFrame("overview", await overview())
        continue
      }
      const timer = setTimeout(() => wake(), pingMs)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      clearTimeout(timer)
      if (!isChanged && !signal.aborted) yield ": ping\n\n"
    }
    yield namedFrame("bye", {})
  } finally {
    stop()
    signal.removeEventListener("abort", abort)
  }
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    run()
  }
}
