import { randomBytes } from "node:crypto"
import type { CapturedStream } from "@haft/contract"
import {
  collectOutput,
  type EndReason,
  firstEnd,
  type PreparedWall,
  programEnd,
  type StartedProcess,
  startProcess,
} from "@haft/host"
import type { BoxJob } from "../backend/backend.js"
import { jobArchive } from "../job/job-archive.js"
import type { MachineOutcome } from "../machine/run-machine.js"
import { afterOpening } from "./after-opening.js"
import { jobArgv } from "./job-script.js"

/** The wall that a job runs behind. */
export interface OpenedRun {
  readonly wall: PreparedWall
  /** The mark that the environment of the wall carries as well. */
  readonly mark: string
  /** How long it may take until the command starts. */
  readonly bootMs: number
  /** When the work on this job began. */
  readonly began: number
}

// How long output may still come after the exit from children that hold the pipe.
const drainMs = 100
// With all writers gone only the reading of what they left is waited for.
const readToEndMs = 10_000

/**
 * Runs a job behind a wall over the tree of an image; nothing of it runs afterwards. Only a command that is known to have
 * started has an exit code: what ends before is a failure of the wall.
 */
export async function runOpened(job: BoxJob, { wall, mark, bootMs, began }: OpenedRun): Promise<MachineOutcome> {
  const line = randomBytes(16).toString("hex")
  const archive = jobArchive(job.command, job.files)
  const started = await startProcess({ wall, mark, argv: jobArgv(line), stdio: ["pipe", "pipe", "pipe"] })
  const { child, launch, tree } = started
  const stdout = afterOpening(child.stdout!, line)
  const output = collectOutput({ stdout: stdout.rest, stderr: child.stderr }, job)
  feed(started, archive)

  const exit = new Promise((resolve) => child.once("exit", resolve))
  const wait = { signal: job.signal, idleMs: undefined, silentMs: output.silentMs }
  const boot = await firstEnd({ ...wait, exit: Promise.race([exit, stdout.opened]), timeoutMs: bootMs })
  const startedAt = performance.now()
  const end = boot === "exit" ? await firstEnd({ ...wait, exit, timeoutMs: job.timeoutMs }) : boot
  const runMs = Math.round(performance.now() - startedAt)
  if (end === "exit") await output.ended(drainMs)
  const { survivors } = await tree.kill()
  await output.ended(survivors.length > 0 ? drainMs : readToEndMs)
  output.stop()
  const outputPath = await output.sidecar.finish()

  if (end === "aborted") return { type: "aborted" }
  if (end === "exit") {
    const { failure } = await programEnd(launch, { exitCode: child.exitCode }, output.capture.stderr.tail())
    if (failure) throw failure
  }
  const texts = output.capture.finish()
  if (!stdout.isOpen()) return unopened(end, { bootMs, stderr: texts.stderr })
  // A signal to the command is told by the wall as its exit code; a signal to the wall itself is none of it.
  if (end === "exit" && child.exitCode === null) {
    return { type: "crashed", started: true, reason: `the wall was ended by ${child.signalCode}`, words: "" }
  }
  return {
    ...{ type: "ran", ...texts, exitCode: end === "exit" ? child.exitCode : null },
    ...(outputPath !== undefined && { outputPath }),
    bootMs: Math.round(startedAt - began),
    runMs,
  }
}

function unopened(end: EndReason, { bootMs, stderr }: { bootMs: number; stderr: CapturedStream }): MachineOutcome {
  const reason =
    end === "exit" ? "the wall ended before the command started" : `the command did not start in ${bootMs} ms`
  return { type: "crashed", started: false, reason, words: stderr.text.trim() }
}

function feed({ child }: StartedProcess, archive: Uint8Array): void {
  // A wall that breaks does not read its input; its end is told in one place.
  child.stdin!.on("error", () => undefined)
  child.stdin!.end(archive)
}
