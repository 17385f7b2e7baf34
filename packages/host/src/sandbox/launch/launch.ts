import type { ChildProcess } from "node:child_process"
import { closeSync, openSync, readSync } from "node:fs"
import type { Duplex } from "node:stream"
import { ToolError } from "@haft/contract"
import { programNotStarted } from "../../run/process/spawn.js"
import type { Backend, Descriptor, Wrapped } from "../backend.js"
import { tellAdmitted } from "../limit/cgroup-placement.js"
import { type QuotaWatch, quotaExceeded, type WatchedProcess } from "../limit/home-quota.js"
import type { Limiter } from "../limit/limiter.js"
import type { Launch } from "../sandbox.js"
import { movedMounts, outsideCommand } from "./inside-command.js"
import { openNamelessFile } from "./open-tmpfile.js"
import { failedStart, listenInside, type Report } from "./supervising-shell.js"

/** What a launch is made from. */
export interface LaunchRequest {
  readonly backend: Backend
  readonly wrapped: Wrapped
  readonly limiter: Limiter
  readonly environment: Record<string, string>
  /** The program, as the caller of the launch named it. */
  readonly program: string
  readonly filterFile?: string
  /** Descriptors of the trees that are held open; they stay the caller's. */
  readonly held?: readonly number[]
  /** Folder for what the sandbox reads and writes while it is set up. */
  readonly folder: string
  /** Takes over the connection to the relay. */
  readonly attach?: (stream: Duplex) => void
  /** Watches how much the process writes into folders of the session. */
  readonly watch?: (process: Pick<WatchedProcess, "pid" | "end">) => QuotaWatch
  /** Told when the sandbox could not be set up. */
  readonly onFailure: () => void
}

/** A launch with the descriptors it holds. */
export interface OwnedLaunch extends Launch {
  /** Where a program that waits is told what it becomes. */
  readonly words?: number
  /** Closes what is still open; can be called twice. */
  dispose(): void
}

/** Opens what the sandbox needs and says how to start it. */
export function createLaunch(request: LaunchRequest): OwnedLaunch {
  const { backend, limiter } = request
  const wrapped = withWayIn(request.wrapped)
  const open = openDescriptors(wrapped, request)
  const relay = wrapped.descriptors.indexOf("relay")
  const left = wrapped.descriptors.indexOf("left")
  const words = wrapped.descriptors.indexOf("words")
  let report: Report | undefined
  let watch: QuotaWatch | undefined
  let isLimited = true
  let isCounted = false

  return {
    ...outsideCommand(wrapped, limiter.limits, isAskedInside(request.wrapped) ? undefined : 3 + left),
    env: { ...request.environment, ...wrapped.environment },
    cwd: "/",
    extraFds: open.entries,
    ...(words >= 0 && { words: 3 + words }),
    startWithin(start) {
      if (!limiter.birthplace) return start()
      isCounted = true
      return limiter.birthplace.start(start)
    },
    onSpawn(child: ChildProcess) {
      open.closeAllBut("status")
      report = listenInside(child, 3 + left)
      if (relay >= 0) request.attach?.(child.stdio[3 + relay] as Duplex)
      watch =
        child.pid === undefined ? undefined : request.watch?.({ pid: child.pid, end: () => child.kill("SIGKILL") })
      child.once("exit", () => watch?.stop())
      void limit(child)
    },
    async end(exit, stderrTail) {
      await within(reportMs, report?.complete)
      const status = open.readStatus()
      const failure = watch?.isExceeded()
        ? quotaExceeded(limiter.limits.homeBytes)
        : (setupFailure(stderrTail, exit.exitCode, status) ?? startFailure(status))
      const orphans = report?.orphans() ?? 0
      return { ...(report?.endOf(exit) ?? exit), orphans, ...(failure && { failure }) }
    },
    dispose: () => open.closeAllBut(undefined),
  }

  function setupFailure(stderrTail: string, exitCode: number | null, status: string): ToolError | undefined {
    const relayStands = relay < 0 || report?.relayStands() === true
    const explained = isLimited
      ? backend.explain({ stderrTail, exitCode, status, relayStands })
      : "its processes could not be limited"
    const reason = report?.isMoved() ? movedMounts.slice(movedMounts.indexOf(" ") + 1) : explained
    if (reason === undefined) return undefined
    request.onFailure()
    return setupError(backend.name, reason)
  }

  function startFailure(status: string): ToolError | undefined {
    const code = report?.failedStart() ?? failedStart(status)
    return code === undefined ? undefined : programNotStarted(request.program, code)
  }

  /**
   * The command waits behind its sandbox until its processes are counted: what it starts at once could be more than can be
   * followed. One that cannot be held to its limits is ended.
   */
  async function limit(child: ChildProcess): Promise<void> {
    const { admission } = limiter
    if (isCounted) tellAdmitted(child, 3 + left)
    const admitted = isCounted ? admission.follow(child.pid!) : admission.admit(child.pid!)
    const isAdmitted = await admitted.catch(() => false)
    if (!isAdmitted) isLimited = !child.kill("SIGKILL")
    else if (!isCounted) tellAdmitted(child, 3 + left)
  }
}

// The report ends with the sandbox, just before the exit of its process; only the reading of it is waited for.
const reportMs = 2000

async function within(limitMs: number, wait: Promise<void> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([wait, late])
  clearTimeout(timer)
}

/** Whether a shell inside the sandbox waits until it is admitted, and tells what is left; else one in front of it waits. */
function isAskedInside({ descriptors }: Wrapped): boolean {
  return descriptors.includes("left")
}

function withWayIn(wrapped: Wrapped): Wrapped {
  return isAskedInside(wrapped) ? wrapped : { ...wrapped, descriptors: [...wrapped.descriptors, "left"] }
}

/** Opened for each launch: descriptors that share one opening also share how far it was read. */
function openDescriptors(
  { descriptors, hiddenArguments = [] }: Wrapped,
  { folder, filterFile, held = [] }: LaunchRequest,
) {
  const own = new Map<Descriptor, number>()
  const entries = descriptors.map((descriptor) => {
    // A connection cannot be opened a second time by way of /proc, a file could be, and filled.
    if (descriptor === "relay" || descriptor === "left" || descriptor === "words") return "pipe"
    if (descriptor.startsWith("held ")) return held[Number(descriptor.slice("held ".length))]!
    const text = descriptor === "arguments" ? hiddenArguments.map((one) => `${one}\0`).join("") : ""
    const opened = descriptor === "filter" ? openSync(filterFile!, "r") : openNamelessFile(folder, text)
    own.set(descriptor, opened)
    return opened
  })
  return {
    entries,
    readStatus() {
      const status = own.get("status")
      if (status === undefined) return ""
      const bytes = Buffer.alloc(4096)
      return bytes.toString("utf8", 0, readSync(status, bytes, 0, bytes.length, 0))
    },
    closeAllBut(kept: Descriptor | undefined) {
      for (const [descriptor, opened] of own) {
        if (descriptor === kept) continue
        own.delete(descriptor)
        closeSync(opened)
      }
    },
  }
}

/** A sandbox that could not be set up: never the exit code of the command, and never a second try without a sandbox. */
function setupError(backend: string, reason: string): ToolError {
  return new ToolError(
    "not_configured",
    `Cannot run the command: the sandbox (${backend}) could not be set up: ${reason}`,
    { fix: "Run haft doctor to see what this machine allows", details: { reason: "SANDBOX_UNAVAILABLE", backend } },
  )
}
