import { totalmem } from "node:os"

/** What the processes of a session's commands may use together, and a file of theirs at most. */
export interface Limits {
  readonly processes: number
  readonly memoryBytes: number
  readonly openFiles: number
  readonly fileBytes: number
  /** Each of the file systems in memory. */
  readonly temporaryBytes: number
  /** The private home directory and /tmp of the session, together. */
  readonly homeBytes: number
}

const gigabyte = 1024 ** 3

/** Limits that hold when nobody set others. */
export function withDefaults(limits: Partial<Limits> = {}): Limits {
  return {
    processes: 512,
    memoryBytes: Math.min(4 * gigabyte, Math.floor(totalmem() / 2)),
    openFiles: 4096,
    fileBytes: 2 * gigabyte,
    temporaryBytes: gigabyte,
    homeBytes: gigabyte,
    ...limits,
  }
}
