import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ObservedEffect, SandboxedCall, SandboxedGrant, SandboxProfile } from "@haft/contract"
import type { Sandboxes } from "../../../sandbox/sandbox.js"
import { WorkspaceIndex } from "../../../workspace-index/index.js"
import { plainSandbox } from "./test-sandboxes.js"

/** A session in real folders, for tests of what starts processes. */
export interface TestSession {
  readonly root: string
  readonly sessionFolder: string
  readonly historyFolder: string
  readonly effects: ObservedEffect[]
  readonly sandboxes: Pick<Sandboxes, "prepare">
  /** Sandboxes that are prepared and not released. */
  standing(): number
  /** The folders in the shape that ports take them. */
  readonly place: Readonly<Record<"directory" | "sessionFolder" | "historyFolder", string>> & {
    readonly roots: readonly string[]
    readonly indexes: readonly WorkspaceIndex[]
  }
  call(options?: TestCallOptions): SandboxedCall
  remove(): void
}

/** How a call differs from one that may write everything. */
export interface TestCallOptions {
  readonly profile?: SandboxProfile
  readonly signal?: AbortSignal
  readonly grant?: Partial<SandboxedGrant>
  readonly callId?: string
  readonly sessionId?: string
}

/** Makes the folders; commands run in the given sandbox. */
export function createTestSession(sandbox: typeof plainSandbox = plainSandbox): TestSession {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-process-")))
  const [root, sessionFolder, historyFolder] = ["root", "session", "history"].map((name) => join(folder, name))
  mkdirSync(root!)
  mkdirSync(join(sessionFolder!, "scratch"), { recursive: true })
  const effects: ObservedEffect[] = []
  const index = new WorkspaceIndex({ root: root!, cookieFolder: join(sessionFolder!, "index") })
  let standing = 0
  return {
    root: root!,
    sessionFolder: sessionFolder!,
    historyFolder: historyFolder!,
    effects,
    sandboxes: {
      async prepare(request) {
        standing += 1
        const release = async () => {
          standing -= 1
          return { quarantined: [] }
        }
        return { ...sandbox(request), release }
      },
    },
    standing: () => standing,
    place: {
      ...{ directory: root!, roots: [root!], indexes: [index] },
      ...{ sessionFolder: sessionFolder!, historyFolder: historyFolder! },
    },
    call: ({ profile = "workspace-write", signal, grant, callId = "call_test", sessionId = "session_test" } = {}) => ({
      callId,
      sessionId,
      signal: signal ?? new AbortController().signal,
      deadlineMs: Date.now() + 60_000,
      grant: {
        admits: () => true,
        mayKeep: () => true,
        denies: () => false,
        sandbox: { profile, hosts: [], approved: [], unconfined: false },
        ...grant,
      },
      observe: (effect) => void effects.push(effect),
    }),
    remove() {
      index.close()
      // A test may have closed folders to an ordinary user.
      execFileSync("chmod", ["-R", "u+rwx", folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Processes whose command line contains the text. */
export function processesWith(text: string): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return []
    try {
      const alive = !/\) [ZX] /.test(readFileSync(`/proc/${name}/stat`, "latin1"))
      return alive && readFileSync(`/proc/${name}/cmdline`, "latin1").includes(text) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
