import { PassThrough } from "node:stream"
import type { EventBody, SessionEvent } from "@haft/contract"
import { sayEnglish } from "@haft/language"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { Invocation } from "../command/invocation.js"
import type { Io } from "../command/io.js"
import { RunScreen } from "../command/run.js"
import { styleFor } from "./style.js"
import { type RunningCall, TurnView } from "./turn-view.js"

const style = styleFor({}, {})
const call = "call_1"
const begun = { type: "tool-call", call, tool: "write", arguments: { file_path: "hello.txt" } } as const
const ask = { type: "ask", call, request: {} } as unknown as EventBody
const answer = { type: "answer", call, answer: "once" } as EventBody
const started = { type: "tool-start", call, tool: "write" } as const
const ended = (duration_ms: number): EventBody => ({
  ...{ type: "tool-end", call, tool: "write" },
  envelope: { type: "output", data: {}, metadata: { duration_ms, call_id: call, session_id: "ses_1" } },
})
const at = (ms: number, event: EventBody) => ({ session: "ses_1", seq: 1, at: ms, ...event }) as SessionEvent

/** What a screen is told. */
function watched() {
  const lines: string[] = []
  const seen: { calls: readonly RunningCall[] } = { calls: [] }
  const screen = {
    text: () => undefined,
    endText: () => undefined,
    line: (line: string) => lines.push(line),
    running: (calls: readonly RunningCall[]) => {
      seen.calls = calls
    },
  }
  return { lines, seen, view: new TurnView(screen, { style }) }
}

describe("a call that waits for a person", () => {
  test("waits, then runs; the time of the person is not that of the work", () => {
    const { lines, seen, view } = watched()
    view.show(at(1000, begun))
    view.show(at(1010, ask))
    expect(seen.calls).toMatchObject([{ id: call, waits: true, since: 1010 }])
    view.show(at(61_010, answer))
    view.show(at(61_012, started))
    expect(seen.calls).toMatchObject([{ id: call, waits: false, since: 61_012 }])
    view.show(at(61_050, ended(60_050)))
    expect(lines).toEqual(["  write  hello.txt  ok  50 ms"])
  })

  test("that ends unanswered has worked until it waited", () => {
    const { lines, view } = watched()
    view.show(at(1000, begun))
    view.show(at(1010, ask))
    view.show(at(61_010, ended(60_010)))
    expect(lines).toEqual(["  write  hello.txt  ok  10 ms"])
  })

  test("with a question waits, too: that is its work", () => {
    const { lines, seen, view } = watched()
    view.show(at(1000, begun))
    view.show(at(1010, started))
    view.show(at(1020, { type: "question", call, wait: "question:1", questions: [] }))
    expect(seen.calls).toMatchObject([{ id: call, waits: true }])
    view.show(at(61_000, ended(60_000)))
    expect(lines).toEqual(["  write  hello.txt  ok  1 min 0 s"])
  })
})

describe("RunScreen", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test("says that a slow call runs when it does, not while it waits for a person", () => {
    const stderr = new PassThrough()
    const io = { stdout: new PassThrough(), stderr } as unknown as Io
    const view = new TurnView(new RunScreen({ say: sayEnglish } as unknown as Invocation, io), { style })
    const said = () => String(stderr.read() ?? "")
    view.show(at(0, begun))
    view.show(at(10, ask))
    vi.advanceTimersByTime(60_000)
    expect(said()).toBe("")
    view.show(at(60_010, answer))
    view.show(at(60_011, started))
    vi.advanceTimersByTime(1500)
    expect(said()).toBe("  write  hello.txt  runs\n")
    view.show(at(61_520, ended(61_520)))
    expect(said()).toBe("  write  hello.txt  ok  1.5 s\n")
  })
})
