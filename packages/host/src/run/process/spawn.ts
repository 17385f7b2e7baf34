import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { openSync, readdirSync, readFileSync } from "node:fs"
import { ToolError } from "@haft/contract"
import type { Launch } from "../../sandbox/sandbox.js"

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

/** The name of the variable by which processes are recognised that left their parent, group and session. */
export const tagName = "HAFT_CALL"

/** The same beginning for all trees of this Haft, so that one watcher can find them all. */
export const tagPrefix = randomBytes(9).toString("base64url")

// Tags must differ within the process, whichever session starts something.
let count = 0

/** A value that no other process tree on this machine carries. */
export function nextProcessTag(): string {
  count += 1
  return `${tagPrefix}.${count}`
}

/** Entries of `stdio` as a start takes them. */
export type StdioEntry = "ignore" | "pipe" | number

// State of the process: descriptors are its own, whichever session starts something.
const withheld = new Set<number>()
let emptiness: number | undefined

/**
 * Keeps a descriptor from all that is started from now on. Code that opens one that the kernel hands on must call this: a
 * command could type into the terminal of another, or walk out of its sandbox through an open folder.
 */
export function withhold(descriptor: number): void {
  withheld.add(descriptor)
}

/**
 * The same entries, with nothing in the place of every descriptor that the process would get without being given it:
 * those that were withheld, and those that Haft itself got so from its parent. A number that means something
 * else by now does no harm: the process was not to have that either.
 */
export function withoutStrangers(stdio: readonly StdioEntry[]): StdioEntry[] {
  if (process.platform !== "linux") return [...stdio]
  if (emptiness === undefined) {
    emptiness = openSync("/dev/null", "r+")
    for (const descriptor of handedOn()) withheld.add(descriptor)
  }
  const entries = [...stdio]
  for (const descriptor of withheld) {
    while (entries.length <= descriptor) entries.push("ignore")
    if (descriptor >= 3 && entries[descriptor] === "ignore") entries[descriptor] = emptiness
  }
  return entries
}

const closedOnExec = 0o2000000

/** Descriptors of this process that the kernel hands on. */
function handedOn(): readonly number[] {
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => descriptor >= 3 && isHandedOn(descriptor))
}

function isHandedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"))?.[1] ?? "0"
    return (Number.parseInt(flags, 8) & closedOnExec) === 0
  } catch {
    // It was the one that the list was read with.
    return false
  }
}

/** Why a program could not be started, from the error of the system. */
export function startError(program: string, code: string | undefined, cause?: Error): ToolError {
  const options = { ...(cause && { cause }), details: { errno: code } }
  switch (code) {
    case "ENOENT":
      return new ToolError(
        "not_found",
        `Cannot run "${program}": there is no such program; install it or name another`,
        options,
      )
    case "EACCES":
      return new ToolError("denied", `Cannot run "${program}": it is not executable; check its mode`, options)
    case "E2BIG":
      return new ToolError(
        "too_large",
        `Cannot run "${program}": its arguments are too long; pass them in a file`,
        options,
      )
    case "EAGAIN":
    case "EMFILE":
    case "ENFILE":
    case "ENOMEM":
      return new ToolError(
        "unavailable",
        `Cannot run "${program}": the system has no room for another process; try again later`,
        options,
      )
    default:
      return new ToolError(
        "backend",
        `Cannot run "${program}": ${cause?.message ?? "it could not be started"}`,
        options,
      )
  }
}

/** The same for a shell that could not become the program and gave this code: 127 where there is none, 126 otherwise. */
export function programNotStarted(program: string, code: number): ToolError {
  return startError(program, code === 127 ? "ENOENT" : "EACCES")
}
