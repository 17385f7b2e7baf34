import { type ChildProcessByStdio, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { getDefaultHighWaterMark, type Readable, setDefaultHighWaterMark } from "node:stream"
import { ToolError } from "@haft/contract"
import { ripgrepMissing } from "./locate-ripgrep.js"

/** A ripgrep process whose output and complaints can be read. */
export type RipgrepProcess = ChildProcessByStdio<null, Readable, Readable>

/** Starts ripgrep; its output is taken from the pipe only when somebody reads, never ahead. */
export function spawnRipgrep(run: {
  readonly program: string
  readonly arguments: readonly string[]
  readonly cwd: string
  readonly descriptors?: readonly number[]
}): RipgrepProcess {
  const highWaterMark = getDefaultHighWaterMark(false)
  // A stream of a child cannot be given its own mark. With this one it takes what the pipe has and then waits for a reader;
  // otherwise every single hit of a parallel search wakes this process, which costs ripgrep a tenth of its time.
  setDefaultHighWaterMark(false, 1)
  try {
    return spawn(run.program, run.arguments, {
      cwd: run.cwd,
      // Nothing of the environment reaches ripgrep, in particular no RIPGREP_CONFIG_PATH; Windows programs need its root.
      env: process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot },
      stdio: ["ignore", "pipe", "pipe", ...(run.descriptors ?? [])],
      windowsHide: true,
    }) as RipgrepProcess
  } catch (error) {
    throw spawnFailure(error, run.program)
  } finally {
    setDefaultHighWaterMark(false, highWaterMark)
  }
}

/** The error of a program that did not start, in words; other errors as they are. */
export function spawnFailure(error: unknown, program: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error
  if (!existsSync(program)) return ripgrepMissing(error)
  return new ToolError("backend", `Cannot search: ripgrep did not start, ${error.message}`, { cause: error })
}
