import { readFileSync } from "node:fs"

let own: string | undefined

/** Names this process so that a later one with the same number is not taken for it. */
export function processToken(): string {
  own ??= `${process.pid}-${startOf(process.pid)}`
  return own
}

/** Whether the process with this token still runs. */
export function isRunning(token: string): boolean {
  const [pid, start] = token.split("-")
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false
  }
  return startOf(Number(pid)) === start
}

/** Ticks since boot when a process started: tells it from a later one with the same number. Empty where unknown. */
export function startOf(pid: number): string {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "latin1")
    // The name in parentheses may contain anything; the 22nd field is the 20th behind it.
    return line.slice(line.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  } catch {
    return ""
  }
}
