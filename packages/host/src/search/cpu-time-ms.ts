import { readFileSync } from "node:fs"

/** How long a process has been running on a processor; undefined where the system does not tell. */
export function cpuTimeMs(pid: number | undefined): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ")[0]) / 1e6
  } catch {
    return undefined
  }
}
