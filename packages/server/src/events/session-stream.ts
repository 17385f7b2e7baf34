import { ToolError } from "@haft/contract"
import type { EventLog, LogEntry } from "./event-log.js"
import { type EventJournal, journalEvents } from "./journal-events.js"

/** What one reader of a session gets. */
export interface StreamRequest {
  readonly session: string
  readonly log: EventLog
  readonly journal: EventJournal
  /** Where the log begins that is made of the journal; undefined for one that is made of what happens. */
  readonly followed?: () => number | undefined
  /** Where to go on. */
  readonly cursor: Cursor | undefined
  readonly signal: AbortSignal
}

// So much is written at once; the next is taken from the log when that is on its way.
const chunkBytes = 64 * 1024
// A dead connection is noticed by writing to it.
const pingMs = 15_000

/** The frames of a session's stream: what the journal has unless the cursor is good, then what happens. */
export async function* sessionFrames(request: StreamRequest): AsyncGenerator<string> {
  const { session, log, cursor, signal } = request
  const frame = ({ number, text }: LogEntry) => eventFrame(text, cursorOf(session, log, number))
  let place = placeOf(log, cursor)
  if (typeof place !== "number") {
    yield namedFrame("reset", { reason: place })
    // Taken before the journal is read: what happens meanwhile follows, and is not sent twice.
    place = log.last
    yield* pastFrames(request, request.followed?.())
    yield namedFrame("live", {}, cursorOf(session, log, place))
  }
  while (!signal.aborted) {
    if (place < log.floor) return yield namedFrame("behind", {})
    const entries = log.after(place, chunkBytes)
    const last = entries.at(-1)
    if (last) {
      place = last.number
      yield entries.map(frame).join("")
    } else if (log.isClosed) return yield namedFrame("bye", {})
    else {
      const before = log.last
      await log.next(pingMs, signal)
      if (log.last === before && !log.isClosed) yield ": ping\n\n"
    }
  }
}

/** What the journal has; what the log has of units that are not complete there takes their place. */
async function* pastFrames(
  { session, log, journal, signal }: StreamRequest,
  upTo: number | undefined,
): AsyncGenerator<string> {
  const held = upTo === undefined ? log.after(0) : []
  const known = new Set(held.flatMap(({ unit }) => unit ?? []))
  const unwatch = upTo === undefined ? log.watch(known) : () => undefined
  try {
    for await (const { unit, event } of journalEvents(session, journal, upTo)) {
      if (signal.aborted) return
      if (!known.has(unit)) yield eventFrame(JSON.stringify(event))
    }
  } finally {
    unwatch()
  }
  for (const entry of held) yield eventFrame(entry.text)
}

/** A place in the log of a session. */
export interface Cursor {
  readonly stream: string
  readonly number: number
}

/** Reads a cursor. One that is none, or that belongs to another session, is an error. */
export function readCursor(session: string, cursor: string | undefined): Cursor | undefined {
  if (cursor === undefined || cursor === "") return undefined
  const [named, stream, number] = cursor.split("~")
  if (stream === undefined || number === undefined || !/^\d{1,15}$/.test(number)) {
    throw new ToolError("invalid_args", `Cannot go on from "${cursor.slice(0, 80)}": it is no cursor`, {
      hint: "Use the id of the last frame, or leave it out to begin again",
    })
  }
  if (named === session) return { stream, number: Number(number) }
  throw new ToolError("conflict", `Cannot go on from this cursor: it belongs to another session than "${session}"`, {
    hint: "Leave it out to begin again",
  })
}

/** Where a cursor points to, or why the stream must begin again. */
function placeOf(log: EventLog, cursor: Cursor | undefined): number | "start" | "restart" | "behind" {
  if (cursor === undefined) return "start"
  if (cursor.stream !== log.stream || cursor.number > log.last) return "restart"
  return cursor.number < log.floor ? "behind" : cursor.number
}

function cursorOf(session: string, log: EventLog, number: number): string {
  return `${session}~${log.stream}~${number}`
}

/** A frame of server-sent events; JSON has no line breaks. */
export function namedFrame(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

function eventFrame(text: string, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: event\ndata: ${text}\n\n`
}
