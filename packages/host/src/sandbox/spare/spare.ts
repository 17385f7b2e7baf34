import type { Socket } from "node:net"
import { ToolError } from "@haft/contract"
import { nextProcessTag } from "../../run/process/process-tag.js"
import { createProcessTree } from "../../run/process/process-tree.js"
import { spawnLaunch } from "../../run/process/spawn-launch.js"
import { programNotStarted } from "../../run/process/start-error.js"
import { programEnd } from "../../run/process/start-process.js"
import type { OwnedLaunch } from "../create-launch.js"
import type { TakenSpare } from "../sandbox.js"
import { failedStart } from "../supervising-shell.js"

/** A sandbox that stands, or is about to, with nothing behind it but a waiter. It can become one command, once. */
export interface Spare {
  isWaiting(): boolean
  /** Turns it into a command; from now on it belongs to whoever asked. */
  take(words: string, program: string, onLost: () => void): OwnedSpare
  /** Ends it; settles when nothing of it is left. */
  end(): Promise<void>
}

/** A spare that was taken, with what must be closed when its command has ended. */
export interface OwnedSpare extends TakenSpare {
  readonly launch: OwnedLaunch
}

/** Starts a launch whose program is a waiter. It does not keep this process alive, and dies with it. */
export function startSpare(launch: OwnedLaunch): Spare | undefined {
  const tag = nextProcessTag()
  const child = spawnLaunch(launch, { tag, stdio: ["ignore", "pipe", "pipe", ...launch.extraFds] })
  child.on("error", () => undefined)
  const { pid } = child
  if (pid === undefined) {
    launch.dispose()
    return undefined
  }
  launch.onSpawn?.(child)
  const words = child.stdio[launch.words as 3] as unknown as Socket
  const streams = [child.stdout as Socket, child.stderr as Socket, words]
  // Whoever is gone hears nothing: its exit tells.
  words.on("error", () => undefined)
  let report = ""
  words.on("data", (chunk: Buffer) => {
    report += chunk.toString("latin1")
  })
  for (const one of [child, ...streams]) one.unref()

  const isWaiting = () => child.exitCode === null && child.signalCode === null
  return {
    isWaiting,
    take(text, program, onLost) {
      for (const one of [child, ...streams]) one.ref()
      words.end(text)
      return { child, tag, launch: tellingLoss(launch, { report: () => report, program, onLost }) }
    },
    async end() {
      // The number of one that is gone may belong to anybody by now.
      if (isWaiting()) await createProcessTree({ pid, tag, confined: true }).kill()
      for (const stream of streams) stream.destroy()
      launch.dispose()
    },
  }
}

interface Telling {
  /** What the waiter has said: that it was told all, and that it could not become the program. */
  readonly report: () => string
  readonly program: string
  readonly onLost: () => void
}

/** A command that was not understood, or whose waiter was killed, did not run: never its exit code. */
function tellingLoss(launch: OwnedLaunch, { report, program, onLost }: Telling): OwnedLaunch {
  return {
    ...launch,
    async end(exit, stderrTail) {
      const end = await programEnd(launch, exit, stderrTail)
      const code = failedStart(report())
      if (end.failure) return end
      if (code !== undefined) return { ...end, failure: programNotStarted(program, code) }
      if (report() !== "") return end
      onLost()
      const message = "Cannot run the command: it did not reach the sandbox that was started ahead; try again"
      return { ...end, failure: new ToolError("backend", message) }
    },
  }
}
