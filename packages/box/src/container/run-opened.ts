import { randomBytes } from "node:crypto"
import { type Readable, Transform } from "node:stream"
import type { CapturedStream } from "@haft/contract"
import {
  collectOutput,
  type EndReason,
  firstEnd,
  type PreparedSandbox,
  programEnd,
  type StartedProcess,
  startProcess,
} from "@haft/host"
import type { BoxJob } from "../backend/backend.js"
import { jobArchive } from "../job/job-archive.js"
import type { MachineOutcome } from "../machine/run-machine.js"

/** The sandbox that a job runs in. */
export interface OpenedRun {
  readonly sandbox: PreparedSandbox
  /** The tag that the environment of the sandbox carries as well. */
  readonly tag: string
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
 * Runs a job in a sandbox over the tree of an image; nothing of it runs afterwards. Only a command that is known to have
 * started has an exit code: what ends before is a failure of the sandbox.
 */
export async function runOpened(job: BoxJob, { sandbox, tag, bootMs, began }: OpenedRun): Promise<MachineOutcome> {
  const line = randomBytes(16).toString("hex")
  const archive = jobArchive({ command: job.command, files: job.files })
  const started = await startProcess({ sandbox: sandbox, tag, argv: jobArgv(line), stdio: ["pipe", "pipe", "pipe"] })
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
  // The sandbox reports a signal to the command as its exit code; a signal to the sandbox itself is not one.
  if (end === "exit" && child.exitCode === null) {
    return { type: "crashed", started: true, reason: `the sandbox was ended by ${child.signalCode}`, words: "" }
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
    end === "exit" ? "the sandbox ended before the command started" : `the command did not start in ${bootMs} ms`
  return { type: "crashed", started: false, reason, words: stderr.text.trim() }
}

function feed({ child }: StartedProcess, archive: Uint8Array): void {
  // A sandbox that breaks does not read its input; its end is reported in one place.
  child.stdin!.on("error", () => undefined)
  child.stdin!.end(archive)
}

/**
 * The words that a shell inside of a sandbox runs: unpack what standard input brings, print the opening line, run the
 * command. The line comes before anything of the command can, so it proves that the command started.
 */
function jobArgv(opening: string): readonly string[] {
  return ["/bin/sh", "-c", script, "sh", opening]
}

const script = [
  'fail() { echo "$1" >&2; exit 125; }',
  'tar -x -o -f - -C / || fail "the files could not be unpacked"',
  'mkdir -p /home/box && cd /work || fail "the folders of the command could not be made"',
  "shell=/bin/sh; [ -x /bin/bash ] && shell=/bin/bash",
  "export SHELL=$shell; ulimit -c 0",
  "printf '%s\\n' \"$1\"",
  // The command is a child: the kernel shields the first process of a namespace from signals, and what the shell has to
  // say about a killed child is none of the command's words.
  "exec 3>&2 2> /dev/null",
  "$shell /run/box/command < /dev/null 2>&3 3>&-",
  "exit $?",
].join("\n")

/** A stream without the line that it must begin with. */
interface OpenedStream {
  /** What comes after the line; where the stream begins otherwise, all of it. */
  readonly rest: Transform
  /** Settles when the line was read. Stays open where it never comes. */
  readonly opened: Promise<void>
  isOpen(): boolean
}

/** Takes the opening line off a stream. */
export function afterOpening(source: Readable, line: string): OpenedStream {
  const expected = Buffer.from(`${line}\n`)
  let head: Buffer | undefined = Buffer.alloc(0)
  let isOpen = false
  let open: () => void
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const rest = new Transform({
    transform(piece: Buffer, _encoding, done) {
      if (head === undefined) return done(null, piece)
      const sofar = Buffer.concat([head, piece])
      const isPrefix = expected.subarray(0, sofar.length).equals(sofar.subarray(0, expected.length))
      if (isPrefix && sofar.length < expected.length) {
        head = sofar
        return done()
      }
      head = undefined
      if (isPrefix) {
        isOpen = true
        open()
      }
      done(null, isPrefix ? sofar.subarray(expected.length) : sofar)
    },
    // A stream that ended before the line did hands on what little it had.
    flush: (done) => done(null, head),
  })
  // The other end may vanish in any way; what was read until then counts.
  source.on("error", () => rest.end())
  source.once("close", () => rest.end())
  rest.once("close", () => source.destroy())
  source.pipe(rest)
  return { rest, opened, isOpen: () => isOpen }
}
