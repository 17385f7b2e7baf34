import { spawn } from "node:child_process"
import type { Duplex, Readable } from "node:stream"
import { bestEffort } from "@haft/contract"
import { createLimiter, nextProcessTag, tagName, watchOrphans, withDefaults, withoutStrangers } from "@haft/host"
import { machineDescriptors } from "./qemu-arguments.js"

/** A running machine: one process tree that ends as a whole. */
export interface Machine {
  readonly control: Duplex
  readonly stdout: Readable
  readonly stderr: Readable
  /** The connections of the command, as frames. */
  readonly network: Duplex
  /** Only for machines that are started with a monitor. */
  readonly monitor: Duplex | undefined
  /** Settles when the process is gone. Never rejects. */
  readonly ended: Promise<MachineEnd>
  /** Kills the machine at once; resolves when it is gone and all of its output was read. */
  end(): Promise<void>
}

/** How a machine went. */
export interface MachineEnd {
  /** What QEMU and its sandbox said about themselves, for messages. */
  readonly words: string
}

/** Open files that a machine inherits. */
export interface MachineFiles {
  readonly root: number
  readonly job: number
  readonly snapshot?: number
}

/** How a machine is started. */
export interface StartOptions {
  readonly argv: readonly string[]
  readonly files: MachineFiles
  readonly monitored: boolean
  readonly memoryMiB: number
  /** Done when the machine is gone. */
  readonly cleanUp?: () => Promise<void>
}

// The words of a broken QEMU are short; a hostile one may write for ever.
const mostWords = 4000
// What QEMU itself may use over the memory of its guest, and its threads.
const overheadMiB = 512
const mostProcesses = 64

/** Starts a machine in a group of its own where the kernel's controllers allow it. */
export function startMachine(options: StartOptions): Machine {
  const { argv, files, monitored, memoryMiB } = options
  const memoryBytes = (memoryMiB + overheadMiB) * 1024 * 1024
  const limiter = createLimiter(withDefaults({ processes: mostProcesses, memoryBytes }))
  const [program, ...rest] = inGroups(limiter.joins, argv)
  // The sandbox dies with us only once it is set up; until then its processes are known by their tag alone.
  watchOrphans()
  const child = spawn(program!, rest, {
    cwd: "/",
    env: { [tagName]: nextProcessTag() },
    // An open folder or terminal that came along by chance would be a way out for code that takes QEMU over.
    stdio: withoutStrangers([
      ...(["ignore", "ignore", "pipe"] as const),
      ...(["pipe", "pipe", "pipe"] as const),
      files.root,
      files.job,
      files.snapshot ?? "ignore",
      monitored ? "pipe" : "ignore",
      "pipe",
      "pipe",
    ]),
  })
  const streamAt = (descriptor: number) => child.stdio[descriptor] as Duplex
  const { control, stdout, stderr, network } = machineDescriptors
  const streams = [control, stdout, stderr, network].map(streamAt)
  // A machine that is gone breaks its pipes; its end is reported in one place.
  for (const stream of [...streams, ...(monitored ? [streamAt(machineDescriptors.monitor)] : [])]) {
    stream.on("error", () => undefined)
  }
  const innermost = firstProcess(streamAt(machineDescriptors.sandbox))
  let words = ""
  child.stderr!.on("data", (piece: Buffer) => {
    if (words.length < mostWords) words += piece.toString("utf8").slice(0, mostWords - words.length)
  })
  const ended = new Promise<MachineEnd>((resolve) => {
    child.once("error", (error) => resolve({ words: error.message }))
    // "close" comes after the end of every stream: nothing that the guest wrote is lost.
    child.once("close", () => resolve({ words: words.trim() }))
  }).finally(() => Promise.all([limiter.close(), options.cleanUp?.()]))
  return {
    control: streams[0]!,
    stdout: streams[1]!,
    stderr: streams[2]!,
    network: streams[3]!,
    monitor: monitored ? streamAt(machineDescriptors.monitor) : undefined,
    ended,
    async end() {
      // Not the outer process alone: before the sandbox is set up, its death would leave the inner one behind.
      const pid = await Promise.race([innermost, ended.then(() => undefined)])
      if (pid !== undefined && child.exitCode === null && child.signalCode === null) kill(pid)
      child.kill("SIGKILL")
      // A stream that nobody reads would never end.
      for (const stream of streams) if (!stream.readableFlowing) stream.resume()
      if (monitored) streamAt(machineDescriptors.monitor).destroy()
      await ended
    },
  }
}

/** The first process inside the sandbox, as bubblewrap reports it: everything inside ends with it. */
function firstProcess(stream: Readable): Promise<number | undefined> {
  return new Promise((resolve) => {
    let text = ""
    stream.on("error", () => resolve(undefined))
    stream.on("close", () => resolve(undefined))
    stream.on("data", (piece: Buffer) => {
      text += piece.toString("utf8")
      const pid = /"child-pid":\s*(\d+)\s*[,}]/.exec(text)?.[1]
      if (pid !== undefined) resolve(Number(pid))
    })
  })
}

function kill(pid: number): void {
  bestEffort("it may have ended by itself", () => process.kill(pid, "SIGKILL"))
}

/** The command that joins these groups first and then becomes this one: nothing runs outside of them. */
function inGroups(joins: readonly string[], argv: readonly string[]): readonly string[] {
  if (joins.length === 0) return argv
  const script = 'for file do shift; [ "$file" = -- ] && exec "$@"; echo $$ > "$file" || exit 1; done'
  return ["/bin/sh", "-c", script, "sh", ...joins, "--", ...argv]
}
