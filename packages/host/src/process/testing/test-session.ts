import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ObservedEffect, WalledCall, WalledGrant, WallProfile } from "@haft/contract"
import type { Sandbox } from "../../sandbox/sandbox.js"
import { WorkspaceIndex } from "../../workspace-index/index.js"
import { plainWall } from "./test-walls.js"

/** A session in real folders, for tests of what starts processes. */
export interface TestSession {
  readonly root: string
  readonly sessionFolder: string
  readonly historyFolder: string
  readonly effects: ObservedEffect[]
  readonly sandbox: Pick<Sandbox, "prepare">
  /** Walls that are prepared and not released. */
  standing(): number
  /** The folders in the shape that ports take them. */
  readonly place: Readonly<Record<"directory" | "sessionFolder" | "historyFolder", string>> & {
    readonly roots: readonly string[]
    readonly indexes: readonly WorkspaceIndex[]
  }
  call(options?: TestCallOptions): WalledCall
  remove(): void
}

/** How a call differs from one that may write everything. */
export interface TestCallOptions {
  readonly profile?: WallProfile
  readonly signal?: AbortSignal
  readonly grant?: Partial<WalledGrant>
  readonly callId?: string
  readonly sessionId?: string
}

/** Makes the folders; commands run behind the given wall. */
export function createTestSession(wall: typeof plainWall = plainWall): TestSession {
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
    sandbox: {
      async prepare(request) {
        standing += 1
        const release = async () => {
          standing -= 1
          return { quarantined: [] }
        }
        return { ...wall(request), release }
      },
    },
    standing: () => standing,
    place: {
      ...{ directory: root!, roots: [root!], indexes: [index] },
      ...{ sessionFolder: sessionFolder!, historyFolder: historyFolder! },
    },
    call: ({ profile = "work", signal, grant, callId = "call_test", sessionId = "session_test" } = {}) => ({
      callId,
      sessionId,
      signal: signal ?? new AbortController().signal,
      deadlineMs: Date.now() + 60_000,
      grant: {
        admits: () => true,
        mayKeep: () => true,
        denies: () => false,
        wall: { profile, hosts: [], approved: [], unconfined: false },
        ...grant,
      },
      observe: (effect) => void effects.push(effect),
    }),
    remove() {
      index.close()
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
