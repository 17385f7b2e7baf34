import { closeSync } from "node:fs"
import { createRequire } from "node:module"
import type { Readable, Writable } from "node:stream"
import { ReadStream } from "node:tty"
import { type JobRequest, ToolError } from "@haft/contract"
import type { PreparedSandbox } from "../../sandbox/sandbox.js"
import { withhold } from "../process/spawn.js"
import { type StartedProcess, startProcess } from "../process/start-process.js"

/** The streams of a job, with or without a terminal. */
export interface JobProcess {
  readonly started: StartedProcess
  readonly outputs: readonly Readable[]
  readonly input: Writable
  /** Lets go of the streams. */
  close(): void
}

export interface JobStart {
  readonly sandbox: PreparedSandbox
  /** The tag that the sandbox's environment carries. */
  readonly tag: string
  readonly request: JobRequest
  /** The program that makes a terminal the job's own. */
  readonly setsid: string | undefined
}

/** Starts the program of a job; its standard input stays open. */
export async function startJobProcess({ sandbox, tag, request, setsid }: JobStart): Promise<JobProcess> {
  if (!request.terminal) {
    const started = await startProcess({ sandbox, tag, argv: request.argv, stdio: ["pipe", "pipe", "pipe"] })
    const { stdin, stdout, stderr } = started.child
    const outputs = [stdout!, stderr!]
    return {
      started,
      outputs,
      input: stdin!,
      close() {
        for (const stream of [stdin!, ...outputs]) stream.destroy()
      },
    }
  }
  const terminal = openTerminal()
  try {
    const { descriptor, stream } = terminal
    // In a sandbox the program has a session of its own; the terminal becomes that session's, so that ^C works.
    const argv = setsid === undefined ? request.argv : [setsid, "--ctty", "--wait", ...request.argv]
    const started = await startProcess({ sandbox, tag, argv, stdio: [descriptor, descriptor, descriptor] })
    terminal.handedOver()
    return { started, outputs: [stream], input: stream as unknown as Writable, close: terminal.close }
  } catch (error) {
    terminal.close()
    throw error
  }
}

/** A terminal of its own for a job: one end here, the other lent to the program. */
interface Terminal {
  /** Output of the program; input is written to it. */
  readonly stream: ReadStream
  /** The descriptor that the program gets as standard input, output and error. */
  readonly descriptor: number
  /** To be called once the program has it: the last end that closes then tells of the end. */
  handedOver(): void
  close(): void
}

interface Binding {
  open(columns: number, rows: number): { readonly master: number; readonly slave: number }
}

const columns = 120
const rows = 40

/** Opens a terminal; `not_configured` where the machine has no support for one. */
export function openTerminal(): Terminal {
  const { master, slave } = loadBinding().open(columns, rows)
  for (const end of [master, slave]) withhold(end)
  const stream = new ReadStream(master)
  // The kernel reports an error instead of an end when the last program has closed its side.
  stream.on("error", () => undefined)
  let lent = true
  const handedOver = () => {
    if (lent) closeSync(slave)
    lent = false
  }
  return {
    stream,
    descriptor: slave,
    handedOver,
    close() {
      handedOver()
      stream.destroy()
    },
  }
}

/**
 * The package's own `spawn` cannot pass on the descriptors that a sandbox needs, so only its opening of a terminal is used;
 * that part is not among its typed exports.
 */
function loadBinding(): Binding {
  try {
    const { requireBinary } = createRequire(import.meta.url)("@lydell/node-pty/requireBinary.js") as {
      requireBinary(file: string): Binding
    }
    return requireBinary("pty.node")
  } catch (cause) {
    throw new ToolError(
      "not_configured",
      "Cannot open a terminal: its native part is not installed for this platform",
      {
        cause,
        hint: "Start the job without a terminal",
        fix: "Install with optional packages",
      },
    )
  }
}
