import type { ChildProcess } from "node:child_process"
import { randomBytes } from "node:crypto"
import { closeSync, openSync, readSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Duplex } from "node:stream"
import { ToolError } from "@haft/contract"
import type { Backend, Descriptor, Wrapped } from "./backend.js"
import { joinGroups } from "./limits/join-groups.js"
import type { Limiter } from "./limits/limiter.js"
import { joinFailed, outsideCommand } from "./outside-command.js"
import type { Launch } from "./sandbox.js"
import { settingsPlace } from "./srt/wrap.js"

/** What a launch is made from. */
export interface LaunchRequest {
  readonly backend: Backend
  readonly wrapped: Wrapped
  readonly limiter: Limiter
  readonly environment: Record<string, string>
  readonly filterFile?: string
  /** Folder for the file that the wall writes its state to. */
  readonly folder: string
  readonly terminal: boolean
  /** Takes over the connection to the relay. */
  readonly attach?: (stream: Duplex) => void
  /** Told when the wall could not be set up. */
  readonly onFailure: () => void
}

/** A launch with the descriptors it holds. */
export interface OwnedLaunch extends Launch {
  /** Closes what is still open; can be called twice. */
  dispose(): void
}

/** Opens what the wall needs and says how to start it. */
export function createLaunch(request: LaunchRequest): OwnedLaunch {
  const { terminal, backend, limiter } = request
  const wrapped = withSettings(request.wrapped, request.folder)
  const statusPath = join(request.folder, `status-${randomBytes(6).toString("hex")}`)
  const status = openSync(statusPath, "ax+", 0o600)
  const own = new Set([status])
  if (!terminal) unlinkSync(statusPath)

  const argumentsPath = join(request.folder, `arguments-${randomBytes(6).toString("hex")}`)
  if (wrapped.hiddenArguments) writeFileSync(argumentsPath, `${wrapped.hiddenArguments.join("\0")}\0`, { mode: 0o600 })
  const pathOf = (descriptor: Descriptor) => {
    if (descriptor === "status") return statusPath
    return descriptor === "arguments" ? argumentsPath : request.filterFile!
  }
  const open = (path: string) => {
    // Opened for each launch: descriptors that share one opening also share how far it was read.
    const descriptor = openSync(path, "r")
    own.add(descriptor)
    return descriptor
  }
  const entryOf = (descriptor: Descriptor) => {
    if (descriptor === "relay" || descriptor === "gate") return "pipe"
    return descriptor === "status" ? status : open(pathOf(descriptor))
  }
  const files = wrapped.descriptors.map(
    (descriptor) => ({ path: pathOf(descriptor), mode: descriptor === "status" ? "append" : "read" }) as const,
  )
  const gate = wrapped.descriptors.indexOf("gate")
  const started = outsideCommand(wrapped, { limiter, joinsLater: gate >= 0, ...(terminal && { files }) })
  const relay = wrapped.descriptors.indexOf("relay")
  let isLimited = true
  const extraFds = terminal ? [] : wrapped.descriptors.map(entryOf)
  if (!terminal && wrapped.hiddenArguments) unlinkSync(argumentsPath)

  return {
    ...started,
    env: { ...request.environment, ...wrapped.environment },
    cwd: "/",
    extraFds,
    onSpawn(child: ChildProcess) {
      closeAllBut(status)
      const stream = relay < 0 ? undefined : child.stdio[3 + relay]
      if (stream) request.attach?.(stream as Duplex)
      if (gate >= 0) void letIn(child, child.stdio[3 + gate] as Duplex)
    },
    setupFailed(stderrTail, exitCode) {
      const end = { stderrTail, exitCode, status: readAll(status) }
      const isOutside = !isLimited || (exitCode === 125 && stderrTail.includes(joinFailed))
      const reason = isOutside ? joinFailed : backend.explain(end)
      if (reason === undefined) return undefined
      request.onFailure()
      return setupError(backend.name, reason)
    },
    dispose() {
      closeAllBut(undefined)
      if (terminal) for (const path of [statusPath, argumentsPath]) removeQuietly(path)
    },
  }

  /** Opens the gate once the wall and what it started so far are in their control groups; otherwise ends it. */
  async function letIn(child: ChildProcess, stream: Duplex): Promise<void> {
    // The wall may have ended on its own; its exit says why.
    stream.on("error", () => undefined)
    try {
      await joinGroups(child.pid!, limiter.joins)
    } catch {
      isLimited = child.exitCode !== null
      child.kill("SIGKILL")
    }
    stream.end("x")
  }

  function closeAllBut(kept: number | undefined): void {
    for (const descriptor of own) {
      if (descriptor === kept) continue
      own.delete(descriptor)
      closeSync(descriptor)
    }
  }

  function readAll(descriptor: number): string {
    if (!own.has(descriptor)) return ""
    const bytes = Buffer.alloc(4096)
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, 0))
  }
}

function withSettings(wrapped: Wrapped, folder: string): Wrapped {
  if (wrapped.settings === undefined) return wrapped
  const path = join(folder, `settings-${randomBytes(6).toString("hex")}.json`)
  writeFileSync(path, wrapped.settings, { mode: 0o600 })
  return { ...wrapped, args: wrapped.args.map((argument) => (argument === settingsPlace ? path : argument)) }
}

/** A wall that could not be set up: never the exit code of the command, and never a second try without a wall. */
function setupError(backend: string, reason: string): ToolError {
  return new ToolError(
    "not_configured",
    `Cannot run the command: the sandbox (${backend}) could not be set up: ${reason}; the command did not run`,
    { hint: "Run haft doctor to see what this machine allows", details: { reason: "SANDBOX_UNAVAILABLE", backend } },
  )
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Removed with the session's folder.
  }
}
