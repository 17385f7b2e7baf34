import { readFileSync } from "node:fs"

/** How much is too much, and what to do then. */
export interface MemoryLimit {
  readonly maxBytes: number
  stop(): void
}

/** Watches the memory of one process until it is cleared. */
export interface LimitedMemory {
  readonly exceeded: boolean
  clear(): void
}

/**
 * Calls `stop` when a process grows beyond its memory limit. ripgrep holds each line as a whole, so a file of gigabytes
 * without a line break would otherwise fill the memory. Works where the system shows the memory of processes as files.
 */
export function limitMemory(pid: number | undefined, { maxBytes, stop }: MemoryLimit): LimitedMemory {
  let exceeded = false
  const timer = setInterval(() => {
    if (residentBytes(pid) <= maxBytes) return
    exceeded = true
    stop()
  }, intervalMs)
  return {
    get exceeded() {
      return exceeded
    },
    clear: () => clearInterval(timer),
  }
}

const intervalMs = 100

function residentBytes(pid: number | undefined): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
