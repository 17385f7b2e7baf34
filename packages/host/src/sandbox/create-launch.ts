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
  /** Folder for what the wall reads and writes while it is set up. */
  readonly folder: string
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
  const { backend, limiter, folder } = request
  const wrapped = withSettings(request.wrapped, folder)
  const open = openDescriptors(wrapped, request)
  const place = (descriptor: Descriptor) => wrapped.descriptors.indexOf(descriptor)
  const started = outsideCommand(wrapped, { limiter, joinsLater: place("gate") >= 0 })
  let isLimited = true

  return {
    ...started,
    env: { ...request.environment, ...wrapped.environment },
    cwd: "/",
    extraFds: open.entries,
    onSpawn(child: ChildProcess) {
      open.closeAllBut("status")
      const streamOf = (descriptor: Descriptor) => child.stdio[3 + place(descriptor)] as Duplex
      if (place("relay") >= 0) request.attach?.(streamOf("relay"))
      if (place("gate") >= 0) void letIn(child, streamOf("gate"))
    },
    setupFailed(stderrTail, exitCode) {
      const isOutside = !isLimited || (exitCode === 125 && stderrTail.includes(joinFailed))
      const reason = isOutside ? joinFailed : backend.explain({ stderrTail, exitCode, status: open.readStatus() })
      if (reason === undefined) return undefined
      request.onFailure()
      return setupError(backend.name, reason)
    },
    dispose: () => open.closeAllBut(undefined),
  }

  /** Opens the gate once the wall and what it started so far are in their control groups; otherwise ends it. */
  async function letIn(child: ChildProcess, gate: Duplex): Promise<void> {
    // The wall may have ended on its own; its exit says why.
    gate.on("error", () => undefined)
    try {
      await joinGroups(child.pid!, limiter.joins)
    } catch {
      isLimited = !child.kill("SIGKILL")
    }
    gate.end("x")
  }
}

/** Opened for each launch: descriptors that share one opening also share how far it was read. */
function openDescriptors({ descriptors, hiddenArguments = [] }: Wrapped, { folder, filterFile }: LaunchRequest) {
  const own = new Map<Descriptor, number>()
  const entries = descriptors.map((descriptor) => {
    if (descriptor === "relay" || descriptor === "gate") return "pipe"
    const opened =
      descriptor === "filter" ? openSync(filterFile!, "r") : openNameless(folder, descriptor, hiddenArguments)
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

/** A file that is gone from its folder as soon as it is open, so that nothing of it can be left. */
function openNameless(folder: string, descriptor: Descriptor, hiddenArguments: readonly string[]): number {
  const path = join(folder, `${descriptor}-${randomBytes(6).toString("hex")}`)
  if (descriptor === "arguments")
    writeFileSync(path, hiddenArguments.map((one) => `${one}\0`).join(""), { mode: 0o600 })
  const opened = openSync(path, descriptor === "arguments" ? "r" : "ax+", 0o600)
  unlinkSync(path)
  return opened
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
