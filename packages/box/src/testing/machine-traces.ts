import { readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { findCgroup } from "@haft/host"

/** A process of a machine that this process started. */
export interface MachineProcess {
  readonly pid: number
  /** Lines of /proc/PID/status by their names. */
  readonly status: Readonly<Record<string, string>>
}

/** What machines of this process have left, or have now. */
export function machineTraces() {
  return { processes: machineProcesses().map(({ pid }) => pid), files: machineFiles(), groups: machineGroups() }
}

/** The running QEMU processes below this process. */
export function machineProcesses(): readonly MachineProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => commandOf(pid).some((word) => word.endsWith("qemu-system-x86_64")) && isBelow(pid, process.pid))
    .filter((pid) => commandOf(pid)[0]?.endsWith("qemu-system-x86_64"))
    .map((pid) => ({ pid, status: statusOf(pid) }))
}

function machineFiles(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`haft-box-${process.pid}-`))
}

function machineGroups(): readonly string[] {
  const place = findCgroup()
  const parents = place === undefined ? [] : place.kind === "cgroup2" ? [place.parent] : [place.processes, place.memory]
  return parents.flatMap((parent) => readdirSync(parent).filter((name) => name.startsWith(`haft-${process.pid}-`)))
}

function isBelow(pid: number, ancestor: number): boolean {
  for (let at = pid; at > 1; at = Number(statusOf(at).PPid ?? 0)) if (at === ancestor) return true
  return false
}

function commandOf(pid: number): readonly string[] {
  return read(`/proc/${pid}/cmdline`).split("\0")
}

function statusOf(pid: number): Readonly<Record<string, string>> {
  const lines = read(`/proc/${pid}/status`).split("\n")
  return Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2) as [string, string]))
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
