import type { Readable, Writable } from "node:stream"
import type { JobRequest } from "@haft/contract"
import { type StartedProcess, startProcess } from "../process/start-process.js"
import type { PreparedWall } from "../sandbox/sandbox.js"
import { openTerminal } from "./open-terminal.js"

/** The streams of a job, with or without a terminal. */
export interface JobProcess {
  readonly started: StartedProcess
  readonly outputs: readonly Readable[]
  readonly input: Writable
  /** Lets go of the streams. */
  close(): void
}

/** What a job is started from. */
export interface JobStart {
  readonly wall: PreparedWall
  /** The mark that the wall's environment carries. */
  readonly mark: string
  readonly request: JobRequest
  /** The program that makes a terminal the job's own. */
  readonly setsid: string | undefined
}

/** Starts the program of a job; its standard input stays open. */
export async function startJobProcess({ wall, mark, request, setsid }: JobStart): Promise<JobProcess> {
  if (!request.terminal) {
    const started = await startProcess({ wall, mark, argv: request.argv, stdio: ["pipe", "pipe", "pipe"] })
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
    // Behind a wall the program has a session of its own; the terminal becomes that session's, so that ^C works.
    const argv = setsid === undefined ? request.argv : [setsid, "--ctty", "--wait", ...request.argv]
    const started = await startProcess({ wall, mark, argv, stdio: [descriptor, descriptor, descriptor] })
    terminal.handedOver()
    return { started, outputs: [stream], input: stream as unknown as Writable, close: terminal.close }
  } catch (error) {
    terminal.close()
    throw error
  }
}
