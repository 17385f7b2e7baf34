import { type ChildProcess, spawn } from "node:child_process"
import type { Launch } from "../../sandbox/sandbox.js"
import { tagName } from "./process-tag.js"
import { type StdioEntry, withoutStrangers } from "./withheld-descriptors.js"

/** What a start needs besides its launch. */
export interface SpawnRequest {
  /** Found in the environment of all that comes from this start. */
  readonly tag: string
  /** From standard input on, with what the launch itself needs. */
  readonly stdio: readonly StdioEntry[]
}

/** Starts what a launch says, in a session of its own and with no descriptor but those that it is given. */
export function spawnLaunch(launch: Launch, { tag, stdio }: SpawnRequest): ChildProcess {
  const start = () =>
    spawn(launch.file, launch.args, {
      cwd: launch.cwd,
      env: { ...launch.env, [tagName]: tag },
      stdio: withoutStrangers(stdio),
      detached: process.platform !== "win32",
      windowsHide: true,
    })
  return launch.startWithin ? launch.startWithin(start) : start()
}
