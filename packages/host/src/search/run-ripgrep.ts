import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import type { Readable } from "node:stream"
import { ToolError } from "@haft/contract"
import { cpuTimeMs } from "./cpu-time-ms.js"
import { createBreather } from "./create-breather.js"
import { ripgrepMissing } from "./locate-ripgrep.js"
import { weigh } from "./weigh.js"

/** One run of ripgrep. */
export interface RipgrepRun {
  readonly program: string
  readonly arguments: readonly string[]
  readonly cwd: string
  readonly signal: AbortSignal
  /** When to stop, in milliseconds of the host's clock. */
  readonly stopAtMs: number
  /** Asked when that time has come, with the processor time used: a later time to stop, or undefined to stop now. */
  prolong?(cpuMs: number | undefined): number | undefined
  /** Takes a piece of the output; true means that no more is wanted. */
  take(chunk: Buffer): boolean
  /** Takes a line of what ripgrep complains about. */
  complain(line: string): void
}

/** How a run ended: by itself, because enough was found, or because its time was up. */
export type RipgrepEnd =
  | { readonly reason: "finished"; readonly exitCode: number }
  | { readonly reason: "enough" }
  | { readonly reason: "late" }

/** Runs ripgrep; whatever happens, the process has ended when this settles. */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  throwIfAborted(run.signal)
  const child = start(run)
  const ended = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>
  // Awaited further down; until then a failure must not count as unhandled.
  ended.catch(() => undefined)
  const stop = () => child.kill("SIGKILL")
  const clock = startClock(run, child)
  const scale = weigh(child.pid, { maxBytes: maxMemoryBytes, stop })
  run.signal.addEventListener("abort", stop, { once: true })
  const complaints = readLines(child.stderr, run.complain)
  try {
    const enough = await readOutput(child.stdout, run)
    if (enough) stop()
    await complaints
    const [exitCode, signal] = await ended
    throwIfAborted(run.signal)
    if (enough) return { reason: "enough" }
    if (clock.late) return { reason: "late" }
    if (scale.heavy) throw tooHeavy()
    if (exitCode === null) throw new ToolError("backend", `Cannot search: ripgrep was ended by ${signal}`)
    return { reason: "finished", exitCode }
  } catch (error) {
    stop()
    await ended.catch(() => undefined)
    throw failure(error, run.program)
  } finally {
    clock.clear()
    scale.clear()
    run.signal.removeEventListener("abort", stop)
  }
}

function start(run: RipgrepRun): ChildProcessByStdio<null, Readable, Readable> {
  try {
    return spawn(run.program, run.arguments, {
      cwd: run.cwd,
      // Nothing of the environment reaches ripgrep, in particular no RIPGREP_CONFIG_PATH; Windows programs need its root.
      env: process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot },
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    })
  } catch (error) {
    throw failure(error, run.program)
  }
}

function startClock(run: RipgrepRun, child: ChildProcess): { readonly late: boolean; clear(): void } {
  let late = false
  let timer: NodeJS.Timeout
  const stopAt = (timeMs: number): NodeJS.Timeout =>
    setTimeout(
      () => {
        const laterMs = run.prolong?.(cpuTimeMs(child.pid))
        late = laterMs === undefined
        if (laterMs === undefined) child.kill("SIGKILL")
        else timer = stopAt(laterMs)
      },
      Math.min(timeMs - Date.now(), maxTimerMs),
    )
  timer = stopAt(run.stopAtMs)
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

async function readOutput(output: Readable, run: RipgrepRun): Promise<boolean> {
  const breathe = createBreather()
  for await (const chunk of output as AsyncIterable<Buffer>) {
    for (let offset = 0; offset < chunk.length; offset += pieceBytes) {
      if (run.take(chunk.subarray(offset, offset + pieceBytes))) return true
      await breathe()
      if (run.signal.aborted) return true
    }
  }
  return false
}

// Small enough that judging every path in a piece stays far below what a waiting caller notices.
const pieceBytes = 8 * 1024

async function readLines(source: Readable, take: (line: string) => void): Promise<void> {
  let rest = ""
  source.setEncoding("utf8")
  for await (const chunk of source as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n")
    // A complaint about a monstrous name is cut; its beginning tells enough.
    rest = (lines.pop() ?? "").slice(0, maxComplaintLength)
    for (const line of lines) take(line)
  }
  if (rest !== "") take(rest)
}

const maxComplaintLength = 16 * 1024

function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return
  throw new ToolError("cancelled", "Cannot finish the search: the call was cancelled", { cause: signal.reason })
}

function failure(error: unknown, program: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error
  if (!existsSync(program)) return ripgrepMissing(error)
  return new ToolError("backend", `Cannot search: ripgrep did not start, ${error.message}`, { cause: error })
}

function tooHeavy(): ToolError {
  return new ToolError("too_large", "Cannot search: a file has a line that is too long to hold in memory", {
    hint: "Leave the file out with a narrower path or glob",
  })
}
