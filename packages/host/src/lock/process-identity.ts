import { readFileSync } from "node:fs"
import { bestEffort } from "@haft/contract"

/** A process; the start time tells it from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number
  /** Ticks since boot; empty where the system does not say. */
  readonly startedAt: string
}

// Fixed for the life of this process, and read by every lock: state of the process, not of a session.
let own: string | undefined

/** This process as a word for names of files: `pid-start`. */
export function processToken(): string {
  own ??= `${process.pid}-${startOf(process.pid)}`
  return own
}

/** Whether the process with this token still runs. */
export function isRunning(token: string): boolean {
  const [pid, startedAt] = token.split("-")
  return isSameProcess({ pid: Number(pid), startedAt: startedAt ?? "" })
}

/** Whether this very process runs. */
export function isSameProcess({ pid, startedAt }: ProcessIdentity): boolean {
  return isAlive(pid) && startOf(pid) === startedAt
}

/** Whether a process has this number now; one of another user counts. */
export function isAlive(pid: number): boolean {
  // Zero and below name groups of processes.
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** When a process started, in ticks since boot; empty where unknown. */
export function startOf(pid: number): string {
  const stat = bestEffort("the process may have ended, and not every system has /proc", () =>
    readFileSync(`/proc/${pid}/stat`, "latin1"),
  )
  return stat === undefined ? "" : statFields(stat)[19]!
}

/** The fields of a line of /proc/PID/stat from the state on: the name before it may contain anything. */
export function statFields(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
}
