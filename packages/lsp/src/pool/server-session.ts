import type { ServerSpec } from "../find/server-table.js"
import type { LanguageLimits } from "../limits.js"
import type { LanguageServer } from "../server/language-server.js"
import type { Problem } from "../server/problems.js"
import { compareScans, type FileChange } from "../workspace/scan-workspace.js"
import { scanWorkspace, type WorkspaceScan } from "../workspace/scan-workspace.js"
import { fileUri } from "../wire/values.js"

/** Whether a server knows the workspace as it is now. */
export type CatchUp = "current" | "unknown" | "restart"

/** The problems of a text, as they were found in one state of the other files. */
export interface KnownProblems {
  readonly text: string
  readonly world: number
  readonly problems: readonly Problem[]
}

/** A running server with what it has been told about the workspace. */
export interface ServerSession {
  readonly spec: ServerSpec
  readonly root: string
  readonly server: LanguageServer
  /** Runs one piece of work after another, so that texts of two calls do not mix. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>
  /** Tells the server what changed on the disk, whoever changed it. The file that is asked about is synced by the caller. */
  catchUp(options: CatchUpOptions): Promise<CatchUp>
  /** Shows the server a text, as a new version also when only other files changed: what it said before is then void. */
  sync(path: string, text: string): void
  /** Files that matter to the server, as of the last look. */
  files(): readonly string[]
  /** A number that changes when any other file than this one did. */
  world(path: string): number
  /** The problems of a file as they were last found. */
  known(path: string): KnownProblems | undefined
  remember(path: string, found: Pick<KnownProblems, "text" | "problems">): void
}

/** Whom a look at the workspace is for. */
export interface CatchUpOptions {
  readonly asked: string | undefined
  readonly denies: (path: string) => boolean
  readonly limits: Pick<LanguageLimits, "scanMs" | "maxScanEntries">
}

const maxKnown = 200

/** Follows the workspace for one server, from a scan that was made before its start. */
export function createServerSession(
  { spec, root, server }: Pick<ServerSession, "spec" | "root" | "server">,
  first: WorkspaceScan,
): ServerSession {
  let scan = first
  let turn: Promise<unknown> = Promise.resolve()
  let changes = 0
  const changesOf = new Map<string, number>()
  const known = new Map<string, KnownProblems>()
  const worldAtSync = new Map<string, number>()
  const world = (path: string) => changes - (changesOf.get(path) ?? 0)

  const count = (files: readonly FileChange[]) => {
    for (const { path } of files) changesOf.set(path, (changesOf.get(path) ?? 0) + 1)
    changes += files.length
  }

  return {
    spec,
    root,
    server,
    inTurn(work) {
      const mine = turn.then(work, work)
      turn = mine.catch(() => undefined)
      return mine
    },
    async catchUp({ asked, denies, limits }) {
      const now = await scanWorkspace({ root, spec, denies, limits })
      if (!now.complete || !scan.complete) {
        // At least what was sent must not hide what is there.
        for (const path of server.documents.paths()) if (path !== asked) server.documents.forget(path)
        return "unknown"
      }
      const found = compareScans(scan, now)
      if (found.kind === "restart") return "restart"
      scan = now
      if (found.files.length === 0) return "current"
      count(found.files)
      for (const { path } of found.files) if (path !== asked) server.documents.forget(path)
      server.connection.notify("workspace/didChangeWatchedFiles", {
        changes: found.files.map(({ path, type }) => ({ uri: fileUri(path), type })),
      })
      return "current"
    },
    files: () => [...scan.stamps.keys()],
    world,
    known: (path) => known.get(path),
    remember(path, { text, problems }) {
      known.delete(path)
      known.set(path, { text, problems, world: world(path) })
      for (const oldest of known.keys()) {
        if (known.size <= maxKnown) break
        known.delete(oldest)
      }
    },
    sync(path, text) {
      server.documents.sync(path, text, { renew: worldAtSync.get(path) !== world(path) })
      worldAtSync.set(path, world(path))
    },
  }
}
