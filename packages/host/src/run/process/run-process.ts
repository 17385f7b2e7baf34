import type { Teardown } from "@haft/contract"
import type { PreparedSandbox, ProcessExit, ProgramEnd } from "../../sandbox/sandbox.js"
import type { CapturedOutput } from "./capture-output.js"
import { type CollectOptions, collectOutput } from "./collect-output.js"
import { firstEnd } from "./first-end.js"
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

/** How it ended. */
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
