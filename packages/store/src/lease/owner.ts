import { randomBytes } from "node:crypto"
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { bestEffort } from "@haft/contract"

/** The process that owns a session, precisely enough to find out whether it still runs. */
export interface Owner {
  /** Label of one open store; two stores in one process are two owners. */
  readonly process: string
  readonly pid: number
  readonly host: string
  /** Host, boot and process namespace: a pid means something only where this is the same. */
  readonly machine: string
  /** Start time of the process in the kernel's clock, where it is known: a pid can be given to another process. */
  readonly started: string | null
  /** When the owner last said that it lives. */
  readonly heartbeat: number
}

/** How often an owner renews its heartbeat. */
export const heartbeatMs = 10_000
/** An owner on another machine that is silent for so long has lost its session. */
export const silenceMs = 60_000

/** This process as an owner. */
export function thisOwner(now: number, label: string = `${process.pid}-${randomBytes(6).toString("hex")}`): Owner {
  return {
    process: label,
    pid: process.pid,
    host: hostname(),
    machine: machineId(),
    started: startTime(process.pid),
    heartbeat: now,
  }
}

/** Whether the owner still runs: asked of the kernel on the same machine, taken from the heartbeat elsewhere. */
export function isLiving(owner: Owner, now: number): boolean {
  if (owner.machine !== machineId()) return now - owner.heartbeat < silenceMs
  if (!processExists(owner.pid)) return false
  return owner.started === startTime(owner.pid)
}

/** The owner in words. */
export function ownerName(owner: Owner): string {
  return owner.pid === process.pid && owner.machine === machineId()
    ? "this process, opened a second time,"
    : `process ${owner.pid} on ${owner.host}`
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs under another user.
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

// The same for the life of the process, and every look at a lease asks for it.
let machine: string | undefined

function machineId(): string {
  machine ??= [
    hostname(),
    bestEffort(noProc, () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    bestEffort(noProc, () => readlinkSync("/proc/self/ns/pid")),
  ].join(" ")
  return machine
}

function startTime(pid: number): string | null {
  // Field 22 of proc(5) stat; the name in field 2 may contain spaces and brackets, so counting starts behind it.
  const text = bestEffort(noProc, () => readFileSync(`/proc/${pid}/stat`, "utf8"))
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ")
  // A zombie has ended: only its parent has not asked how.
  return fields?.[0] === "Z" ? null : (fields?.[19] ?? null)
}

const noProc = "other systems have no /proc"
