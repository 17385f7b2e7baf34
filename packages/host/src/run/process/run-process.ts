import type { ChildProcess } from "node:child_process"
import type { Readable } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import type { Teardown } from "@haft/contract"
import type { PreparedSandbox, ProcessExit, ProgramEnd } from "../../sandbox/sandbox.js"
import { within } from "../../wait.js"
import { type CapturedOutput, OutputCapture } from "./capture.js"
import { OutputSidecar, type SidecarLimits } from "./output-sidecar.js"
import { exitOf, programEnd, type StartedProcess, startProcess } from "./start-process.js"

/** A program to run to its end. */
export interface ProcessRequest extends CollectOptions {
  readonly sandbox: PreparedSandbox
  /** The tag that the environment of the sandbox carries as well. */
  readonly tag: string
  readonly argv: readonly string[]
  readonly timeoutMs: number
  /** Ends the program when it has been silent for so long. */
  readonly idleMs?: number
  /** Text for standard input; without it standard input is closed from the start. */
  readonly input?: string
  readonly signal: AbortSignal
}

export interface ProcessEnd extends CapturedOutput {
  readonly exitCode: number | null
  readonly signal?: string
  readonly timedOut: boolean
  readonly aborted: boolean
  readonly outputPath?: string
  readonly teardown: Teardown
}

// How long output may still come after the exit from children that hold the pipe.
const drainMs = 100
// With all writers gone only the reading of what they left is waited for.
const readToEndMs = 10_000

/** Runs a program until it exits, is late, is silent for too long or is aborted; nothing of it is left afterwards. */
export async function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  const { sandbox, tag, argv, input } = request
  const started = await startProcess({
    sandbox,
    tag,
    argv,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  })
  const { tree, launch } = started
  const output = collectOutput(started.child, request)
  feed(started, input)

  const exit = exitOf(started)
  const { timeoutMs, idleMs, signal } = request
  const reason = await firstEnd({ exit, timeoutMs, idleMs, signal, silentMs: output.silentMs })
  if (reason === "exit") await output.ended(drainMs)
  const teardown = await tree.end()
  await output.ended(teardown.survivors.length > 0 ? drainMs : readToEndMs)
  output.stop()
  const outputPath = await output.sidecar.finish()

  const exited = reason === "exit" || teardown.survivors.length === 0 ? await exit : killed
  const ended = reason === "exit" ? await programEnd(launch, exited, output.capture.stderr.tail()) : byUs(exited)
  const { failure, orphans, ...end } = ended
  if (failure) throw failure
  return {
    ...output.capture.finish(),
    ...end,
    timedOut: reason === "late" || reason === "silent",
    aborted: reason === "aborted",
    ...(outputPath !== undefined && { outputPath }),
    // The end of a sandbox may be seen from both sides.
    teardown: { ...teardown, ended: Math.max(teardown.ended, orphans) },
  }
}

const killed: ProcessExit = { exitCode: null, signal: "SIGKILL" }

/** A program that was ended has no exit code of its own, whatever it answered to the request to end. */
function byUs({ signal = "SIGTERM" }: ProcessExit): ProgramEnd {
  return { exitCode: null, signal, orphans: 0 }
}

function feed({ child }: StartedProcess, input: string | undefined): void {
  // A program that does not read its input is no failure.
  child.stdin?.on("error", () => undefined)
  child.stdin?.end(input)
}

/** What happens to the output of a program. */
export interface CollectOptions {
  readonly keepBytes: number
  readonly onOutput?: OutputListener
  readonly sidecar: { readonly folder: string; readonly name: string; readonly limits?: SidecarLimits }
}

/** The output of a program while it comes. */
export interface CollectedOutput {
  readonly capture: OutputCapture
  readonly sidecar: OutputSidecar
  /** Milliseconds since the last piece. */
  silentMs(): number
  /** Settles when both streams have ended, or after this time. */
  ended(limitMs: number): Promise<void>
  /** Stops reading. */
  stop(): void
}

/** Reads both streams as fast as the disk takes what does not fit in memory. */
export function collectOutput(
  child: Pick<ChildProcess, "stdout" | "stderr">,
  { keepBytes, onOutput, sidecar }: CollectOptions,
): CollectedOutput {
  const sources = [child.stdout!, child.stderr!]
  const file = new OutputSidecar({
    ...sidecar,
    onRoom: () => {
      for (const source of sources) source.resume()
    },
  })
  const capture = new OutputCapture(keepBytes, file)
  let lastMs = performance.now()
  const read = (source: Readable, name: "stdout" | "stderr"): void => {
    const tell = onOutput && liveOutput(name, onOutput)
    source.on("data", (chunk: Buffer) => {
      lastMs = performance.now()
      if (!capture.take(name, chunk)) for (const each of sources) each.pause()
      tell?.(chunk)
    })
    // The other end may vanish in any way; what was read until then counts.
    source.on("error", () => undefined)
  }
  read(sources[0]!, "stdout")
  read(sources[1]!, "stderr")
  const closed = Promise.all(sources.map((source) => new Promise((resolve) => source.once("close", resolve))))
  return {
    capture,
    sidecar: file,
    silentMs: () => performance.now() - lastMs,
    ended: (limitMs) => within(limitMs, closed),
    stop() {
      for (const source of sources) source.destroy()
    },
  }
}

/** Tells somebody who watches about output while it comes. */
type OutputListener = (stream: "stdout" | "stderr", text: string) => void

// Somebody who watches reads at most so much; a flood must not cost more than the command itself.
const burstBytes = 1024 * 1024
const bytesPerMs = 256

/** Passes one stream on as text, cut between characters; what comes faster than anybody reads is left out and said. */
function liveOutput(stream: "stdout" | "stderr", listener: OutputListener): (chunk: Buffer) => void {
  const decoder = new StringDecoder("utf8")
  let budget = burstBytes
  let refilledMs = performance.now()
  let skipped = 0
  return (chunk) => {
    const now = performance.now()
    budget = Math.min(burstBytes, budget + (now - refilledMs) * bytesPerMs)
    refilledMs = now
    if (budget < chunk.length) {
      skipped += chunk.length
      return
    }
    budget -= chunk.length
    if (skipped > 0) {
      decoder.end()
      listener(stream, `\n[... ${skipped} bytes left out ...]\n`)
      skipped = 0
    }
    const text = decoder.write(chunk)
    if (text !== "") listener(stream, text)
  }
}

/** Why a running program is waited for no longer. */
export type EndReason = "exit" | "late" | "silent" | "aborted"

/** What can end the wait. */
export interface EndConditions {
  readonly exit: Promise<unknown>
  readonly timeoutMs: number
  readonly idleMs: number | undefined
  readonly signal: AbortSignal
  /** Milliseconds since the last output. */
  readonly silentMs: () => number
}

/** Settles with what comes first; leaves no timer and no listener behind. */
export function firstEnd({ exit, timeoutMs, idleMs, signal, silentMs }: EndConditions): Promise<EndReason> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => settle("late"), timeoutMs)
    let idle: NodeJS.Timeout | undefined
    const settle = (reason: EndReason) => {
      clearTimeout(deadline)
      clearTimeout(idle)
      signal.removeEventListener("abort", onAbort)
      resolve(reason)
    }
    const onAbort = () => settle("aborted")
    const watchSilence = (limitMs: number) => {
      const leftMs = limitMs - silentMs()
      if (leftMs <= 0) settle("silent")
      else idle = setTimeout(() => watchSilence(limitMs), Math.ceil(leftMs))
    }
    exit.then(() => settle("exit"))
    if (idleMs !== undefined) watchSilence(idleMs)
    signal.addEventListener("abort", onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
}
