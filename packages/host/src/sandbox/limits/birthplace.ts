import { closeSync, openSync, writeSync } from "node:fs"
import { release } from "node:os"
import { join } from "node:path"
import { ToolError } from "@haft/contract"

/** A control group that processes can be born in: nothing has to move them, and they are counted from the beginning. */
export interface Birthplace {
  /** What is started meanwhile, by this thread and before the answer, is in the group. */
  start<Started>(work: () => Started): Started
  close(): void
}

/**
 * Moves the thread that starts a process into the group for that moment, and back. A single thread that moves itself
 * waits for nobody, unlike every other entry into a group; this exists for separate hierarchies only, and since Linux
 * 5.18. Only for the group that counts processes: in one that limits memory, Haft itself could be ended for want of it.
 */
export function findBirthplace({ group, own }: { readonly group: string; readonly own: string }) {
  if (!movesFreely(release())) return undefined
  const opened: number[] = []
  const close = () => {
    for (const descriptor of opened.splice(0)) closeSync(descriptor)
  }
  try {
    for (const folder of [group, own]) opened.push(openSync(join(folder, "tasks"), "w"))
    const start: Birthplace["start"] = (work) => {
      const [inside, back] = opened
      if (inside === undefined || back === undefined) {
        throw new ToolError("unavailable", "Cannot start a command: its session has ended")
      }
      try {
        writeSync(inside, thisThread)
        return work()
      } finally {
        writeSync(back, thisThread)
      }
    }
    start(() => undefined)
    return { start, close } satisfies Birthplace
  } catch {
    close()
    return undefined
  }
}

const thisThread = "0"

function movesFreely(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split(".").map(Number)
  return major > 5 || (major === 5 && minor >= 18)
}
