import type { ChildProcess } from "node:child_process"
import type { Duplex } from "node:stream"
import { bestEffort, ToolError } from "@haft/contract"
import { programNotStarted } from "../../run/process/spawn.js"
import type { Backend, Wrapped } from "../backend.js"
import { reportPlaced } from "../limit/cgroup-placement.js"
import { type QuotaWatch, quotaExceeded, type WatchedProcess } from "../limit/home-quota.js"
import type { Limiter } from "../limit/limiter.js"
import type { Launch, ProcessExit, ProgramEnd } from "../sandbox.js"
import { type Descriptor, type OpenDescriptors, openDescriptors } from "./descriptors.js"
import { movedMounts, outsideCommand } from "./inside-command.js"
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
  /** Called when the sandbox could not be set up. */
  readonly onFailure: () => void
}

/** A launch with the descriptors it holds. */
export interface OwnedLaunch extends Launch {
  /** The descriptor of the handshake, for a prewarmed sandbox. */
  readonly handshake?: number
  /** Closes what is still open; can be called twice. */
  dispose(): void
}

/** Opens what the sandbox needs and says how to start it. */
export function createLaunch(request: LaunchRequest): OwnedLaunch {
  const wrapped = withReport(request.wrapped)
  const open = openDescriptors(wrapped, request)
  const at = (descriptor: Descriptor) => 3 + wrapped.descriptors.indexOf(descriptor)
  const has = (descriptor: Descriptor) => wrapped.descriptors.includes(descriptor)
  const started = new StartedSandbox(request, open, {
    report: at("report"),
    ...(has("relay") && { relay: at("relay") }),
  })
  const { limits } = request.limiter
  return {
    ...outsideCommand(wrapped, limits, reportsInside(request.wrapped) ? undefined : at("report")),
    env: { ...request.environment, ...wrapped.environment },
    cwd: "/",
    extraFds: open.entries,
    ...(has("handshake") && { handshake: at("handshake") }),
    startWithin: (start) => started.startWithin(start),
    onSpawn: (child) => started.onSpawn(child),
    end: (exit, stderrTail) => started.end(exit, stderrTail),
    dispose: () => open.closeAllBut(undefined),
  }
}

/** The process of one launch, from its start to its end. */
class StartedSandbox {
  private report: Report | undefined
  private watch: QuotaWatch | undefined
  private isLimited = true
  private isCounted = false

  constructor(
    private readonly request: LaunchRequest,
    private readonly open: OpenDescriptors,
    private readonly at: { readonly report: number; readonly relay?: number },
  ) {}

  startWithin<Started>(start: () => Started): Started {
    const { direct } = this.request.limiter
    if (!direct) return start()
    this.isCounted = true
    return direct.start(start)
  }

  onSpawn(child: ChildProcess): void {
    const { attach, watch } = this.request
    const { pid } = child
    this.open.closeAllBut("status")
    this.report = listenInside(child, this.at.report)
    if (this.at.relay !== undefined) attach?.(child.stdio[this.at.relay] as Duplex)
    this.watch = pid === undefined ? undefined : watch?.({ pid, end: () => child.kill("SIGKILL") })
    child.once("exit", () => this.watch?.stop())
    void this.limit(child)
  }

  async end(exit: ProcessExit, stderrTail: string): Promise<ProgramEnd> {
    const { report } = this
    await within(reportMs, report?.complete)
    const status = this.open.readStatus()
    const failure = this.watch?.isExceeded()
      ? quotaExceeded(this.request.limiter.limits.homeBytes)
      : (this.setupFailure(stderrTail, exit.exitCode, status) ?? this.startFailure(status))
    const orphans = report?.orphans() ?? 0
    return { ...(report?.endOf(exit) ?? exit), orphans, ...(failure && { failure }) }
  }

  private setupFailure(stderrTail: string, exitCode: number | null, status: string): ToolError | undefined {
    const { backend, onFailure } = this.request
    const relayRuns = this.at.relay === undefined || this.report?.relayRuns() === true
    const explained = this.isLimited
      ? backend.explain({ stderrTail, exitCode, status, relayRuns })
      : "its processes could not be limited"
    const reason = this.report?.isMoved() ? movedMounts.slice(movedMounts.indexOf(" ") + 1) : explained
    if (reason === undefined) return undefined
    onFailure()
    return setupError(backend.name, reason)
  }

  private startFailure(status: string): ToolError | undefined {
    const code = this.report?.failedStart() ?? failedStart(status)
    return code === undefined ? undefined : programNotStarted(this.request.program, code)
  }

  /**
   * The command waits in its sandbox until its processes are counted: what it starts at once could be more than can be
   * followed. A command that cannot be held to its limits is ended.
   */
  private async limit(child: ChildProcess): Promise<void> {
    const { placement } = this.request.limiter
    if (this.isCounted) reportPlaced(child, this.at.report)
    const placed = this.isCounted ? placement.follow(child.pid!) : placement.place(child.pid!)
    const isPlaced = await bestEffort("a command that is in no group is ended below", placed)
    if (!isPlaced) this.isLimited = !child.kill("SIGKILL")
    else if (!this.isCounted) reportPlaced(child, this.at.report)
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

/** Whether a shell inside the sandbox waits for its cgroup placement and reports what is left; else one in front of it waits. */
function reportsInside({ descriptors }: Wrapped): boolean {
  return descriptors.includes("report")
}

function withReport(wrapped: Wrapped): Wrapped {
  return reportsInside(wrapped) ? wrapped : { ...wrapped, descriptors: [...wrapped.descriptors, "report"] }
}

/** A sandbox that could not be set up: never the exit code of the command, and never a second try without a sandbox. */
function setupError(backend: string, reason: string): ToolError {
  return new ToolError(
    "not_configured",
    `Cannot run the command: the sandbox (${backend}) could not be set up: ${reason}`,
    { fix: "Run haft doctor to see what this machine allows", details: { reason: "SANDBOX_UNAVAILABLE", backend } },
  )
}
