import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { CommandOutcome, CommandRequest, FileEffectKind, SandboxedGrant, SandboxSpec } from "@haft/contract"
import { createCommands } from "../../run/command/create-commands.js"
import { processTable } from "../../run/process/table/index.js"
import type { BackendName } from "../backend.js"
import type { SandboxOptions } from "../options.js"
import { handshakeFailed } from "../prewarm/prewarmed-sandbox.js"
import type { Sandboxes } from "../sandbox.js"
import { makeSandboxBench, type SandboxBench } from "./sandbox-bench.js"

/** A sandbox whose commands run as those of a session do, and tell whether their sandbox was started ahead. */
export interface PrewarmBench extends Omit<SandboxBench, "run"> {
  run(command: string, request?: PrewarmRequest): Promise<PrewarmOutcome>
  /** Runs until the sandbox of the next command like these waits. */
  warmUp(request?: PrewarmRequest): Promise<void>
}

/** What a test wants to be different from a command that only looks. */
export interface PrewarmRequest extends Partial<CommandRequest> {
  readonly sandbox?: Partial<SandboxSpec>
  readonly grant?: Partial<SandboxedGrant>
  readonly signal?: AbortSignal
}

/** How a command ended, and whether it ran in a sandbox that was started ahead. */
export interface PrewarmOutcome extends CommandOutcome {
  readonly isWarm: boolean
}

/** Rules that deny reading files that end in `.key`. */
export const rules = {
  rulesKey: {},
  denies: (kind: FileEffectKind, path: string) => kind === "fs.read" && path.endsWith(".key"),
}

/** Makes the bench; everything of it is in one temporary folder. */
export async function makePrewarmBench(
  options: Partial<SandboxOptions> & { backend?: BackendName },
): Promise<PrewarmBench> {
  const bench = await makeSandboxBench(options)
  const { root, haftHome } = bench
  const run: PrewarmBench["run"] = async (command, { sandbox, grant, signal, ...request } = {}) => {
    let isWarm = false
    const sandboxes: Pick<Sandboxes, "prepare"> = {
      async prepare(wanted) {
        const prepared = await bench.sandboxes.prepare(wanted)
        const takePrewarmed: typeof prepared.takePrewarmed = (argv) => {
          const taken = prepared.takePrewarmed?.(argv)
          isWarm = taken !== undefined
          return taken
        }
        return { ...prepared, takePrewarmed }
      },
    }
    const place = { roots: [root], directory: root, sessionFolder: join(haftHome, "sessions", "s1") }
    const outcome = await createCommands({ ...place, historyFolder: join(haftHome, "history"), sandboxes })({
      callId: "call_1",
      sessionId: "session_1",
      signal: signal ?? new AbortController().signal,
      deadlineMs: Number.POSITIVE_INFINITY,
      grant: {
        ...rules,
        admits: () => true,
        mayKeep: () => true,
        sandbox: { profile: "read-only", hosts: [], approved: [], unconfined: false, ...sandbox },
        ...grant,
      },
      observe: () => undefined,
    }).run({ argv: ["/bin/bash", "-c", command], timeoutMs: 30_000, keepBytes: 10_000, ...request })
    return { ...outcome, isWarm }
  }
  return {
    ...bench,
    run,
    async warmUp(request) {
      for (let round = 0; round < 2 && waiters().length === 0; round += 1) {
        await run("true", request)
        await quiet()
      }
      // Until the last program on the way to the command is there.
      await until(() => waiters().some((pid) => commandLine(pid).startsWith("/bin/sh\0-c\0\nwhile ")))
    },
  }
}

/** Processes below this one that belong to a sandbox which was started ahead. */
export function waiters(): readonly number[] {
  const below = processTable.descendants(process.pid) as readonly { readonly pid: number }[]
  return below.flatMap(({ pid }) => (commandLine(pid).includes(handshakeFailed) ? [pid] : []))
}

/** Long enough after a command for the next sandbox to be started, or not. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100))
}

/** Waits for something that happens soon. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8")
  } catch {
    return ""
  }
}
