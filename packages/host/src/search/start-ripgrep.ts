import { once } from "node:events"
import { readFileSync } from "node:fs"
import type { Readable } from "node:stream"
import { bestEffort, ToolError } from "@haft/contract"
import { createYield } from "../files/system/program.js"
import { limitMemory, type RipgrepProcess, spawnFailure, spawnRipgrep } from "./ripgrep-program.js"

export interface RipgrepRun {
  readonly program: string
  readonly arguments: readonly string[]
  readonly cwd: string
  /** Descriptors that ripgrep gets from number 3 on. */
  readonly descriptors?: readonly number[]
  readonly signal: AbortSignal
  /** When to stop, in milliseconds of the host's clock. */
  readonly stopAtMs: number
  /** Takes a piece of the output; true means that no more is wanted. */
  take(chunk: Buffer): boolean
  /** Takes a line of what ripgrep complains about. */
  complain(line: string): void
}

/** How a run ended: by itself, because enough was found, because its time was up, or because it was stopped. */
export type RipgrepEnd =
  | { readonly reason: "finished"; readonly exitCode: number }
  | { readonly reason: "enough" }
  | { readonly reason: "late" }
  | { readonly reason: "stopped" }

/** A run that goes on. */
export interface RunningRipgrep {
  /** Whatever happens, the process has ended when this settles. */
  readonly ended: Promise<RipgrepEnd>
  /** The processor time it has used; undefined where the system does not tell. */
  cpuMs(): number | undefined
  /** Ends the run; one that has just ended by itself still counts as finished. */
  stop(): void
}

/** Starts ripgrep and reads what it finds. */
export function startRipgrep(run: RipgrepRun): RunningRipgrep {
  throwIfAborted(run.signal)
  const child = spawnRipgrep(run)
  let isStopped = false
  const ended = follow(child, run, () => isStopped)
  void bestEffort("the caller awaits it; until then a failure must not count as unhandled", ended)
  return {
    ended,
    cpuMs: () => cpuTimeMs(child.pid),
    stop() {
      isStopped = true
      child.kill("SIGKILL")
    },
  }
}

/** How long a process has been running on a processor; undefined where the system does not tell. */
function cpuTimeMs(pid: number | undefined): number | undefined {
  const stat = bestEffort("other systems do not tell", () => readFileSync(`/proc/${pid}/schedstat`, "latin1"))
  return stat === undefined ? undefined : Number(stat.split(" ")[0]) / 1e6
}

async function follow(child: RipgrepProcess, run: RipgrepRun, isStopped: () => boolean): Promise<RipgrepEnd> {
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>
  void bestEffort("awaited further down; until then a failure must not count as unhandled", closed)
  const exited = new AbortController()
  child.once("exit", () => exited.abort())
  const stop = () => child.kill("SIGKILL")
  const clock = startClock(run.stopAtMs, stop)
  const memory = limitMemory(child.pid, { maxBytes: maxMemoryBytes, stop })
  run.signal.addEventListener("abort", stop, { once: true })
  const complaints = readLines(child.stderr, run.complain)
  try {
    const enough = await readOutput(readInPortions(child.stdout, exited.signal), run)
    if (enough) stop()
    await complaints
    const [exitCode, signal] = await closed
    throwIfAborted(run.signal)
    if (enough) return { reason: "enough" }
    if (clock.late) return { reason: "late" }
    if (memory.exceeded) throw lineTooLong()
    if (exitCode !== null) return { reason: "finished", exitCode }
    if (isStopped()) return { reason: "stopped" }
    throw new ToolError("backend", `Cannot search: ripgrep was ended by ${signal}`)
  } catch (error) {
    stop()
    await bestEffort("the first failure is the one that counts", closed)
    throw spawnFailure(error, run.program)
  } finally {
    clock.clear()
    memory.clear()
    run.signal.removeEventListener("abort", stop)
  }
}

function startClock(stopAtMs: number, stop: () => void): { readonly late: boolean; clear(): void } {
  let late = false
  const timer = setTimeout(
    () => {
      late = true
      stop()
    },
    Math.min(stopAtMs - Date.now(), maxTimerMs),
  )
  return {
    get late() {
      return late
    },
    clear: () => clearTimeout(timer),
  }
}

const maxMemoryBytes = 1024 * 1024 * 1024
// Longer times make a timer fire at once.
const maxTimerMs = 2 ** 31 - 1

async function readOutput(output: AsyncIterable<Buffer>, run: RipgrepRun): Promise<boolean> {
  const yieldToLoop = createYield()
  for await (const chunk of output) {
    for (let offset = 0; offset < chunk.length; offset += pieceBytes) {
      if (run.take(chunk.subarray(offset, offset + pieceBytes))) return true
      await yieldToLoop()
      if (run.signal.aborted) return true
    }
  }
  return false
}

// Some sixty paths: judging them stays far below what a waiting caller notices, also before their code is compiled.
const pieceBytes = 2 * 1024

async function readLines(source: Readable, take: (line: string) => void): Promise<void> {
  let rest = ""
  source.setEncoding("utf8")
  for await (const chunk of source as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n")
    // A complaint about a monstrous name is cut; its beginning is enough.
    rest = (lines.pop() ?? "").slice(0, maxComplaintLength)
    for (const line of lines) take(line)
  }
  if (rest !== "") take(rest)
}

const maxComplaintLength = 16 * 1024

/** Throws `cancelled` when the caller has given up. */
export function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return
  throw new ToolError("cancelled", "Cannot finish the search: the call was cancelled", { cause: signal.reason })
}

function lineTooLong(): ToolError {
  return new ToolError("too_large", "Cannot search: a file has a line that is too long to hold in memory", {
    hint: { say: "Leave the file out with a narrower {key:path|glob}" },
  })
}

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
