import { bestEffort } from "@haft/contract"
import type { ServerSpec } from "../find/server-table.js"
import type { LanguageLimits } from "../limits.js"
import type { LanguageServer } from "../server/language-server.js"
import type { Problem } from "../server/problems.js"
import { fileUri } from "../wire/values.js"
import { compareScans, scanWorkspace, type WorkspaceScan } from "../workspace/scan-workspace.js"

/** Whether a server knows the workspace as it is now. */
export type CatchUp = "current" | "unknown" | "restart"

/** The problems of a text, as they were found in one state of the other files. */
export interface KnownProblems {
  readonly text: string
  readonly world: number
  readonly problems: readonly Problem[]
}

/** Whom a look at the workspace is for. */
export interface CatchUpOptions {
  readonly asked: string | undefined
  readonly denies: (path: string) => boolean
  readonly limits: Pick<LanguageLimits, "scanMs" | "maxScanEntries">
}

const maxKnown = 200

/** A running server and what it knows of the workspace, from a scan that was made before its start. */
export class ServerSession {
  readonly spec: ServerSpec
  readonly root: string
  readonly server: LanguageServer
  private scan: WorkspaceScan
  private turn: Promise<unknown> = Promise.resolve()
  private changes = 0
  private readonly changesOf = new Map<string, number>()
  private readonly problems = new Map<string, KnownProblems>()
  private readonly worldAtSync = new Map<string, number>()

  constructor({ spec, root, server }: Pick<ServerSession, "spec" | "root" | "server">, first: WorkspaceScan) {
    this.spec = spec
    this.root = root
    this.server = server
    this.scan = first
  }

  /** Runs one piece of work after another, so that texts of two calls do not mix. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.turn.then(work, work)
    this.turn = bestEffort("the owner of that turn gets its failure", mine)
    return mine
  }

  /** Tells the server what changed on the disk, also by other programs. The file that is asked about is synced by the caller. */
  async catchUp({ asked, denies, limits }: CatchUpOptions): Promise<CatchUp> {
    const { documents, connection } = this.server
    const now = await scanWorkspace({ root: this.root, spec: this.spec, denies, limits })
    if (!now.complete || !this.scan.complete) {
      // At least what was sent must not hide what is there.
      for (const path of documents.paths()) if (path !== asked) documents.forget(path)
      return "unknown"
    }
    const found = compareScans(this.scan, now)
    if (found.kind === "restart") return "restart"
    this.scan = now
    if (found.files.length === 0) return "current"
    for (const { path } of found.files) {
      this.changesOf.set(path, (this.changesOf.get(path) ?? 0) + 1)
      if (path !== asked) documents.forget(path)
    }
    this.changes += found.files.length
    connection.notify("workspace/didChangeWatchedFiles", {
      changes: found.files.map(({ path, type }) => ({ uri: fileUri(path), type })),
    })
    return "current"
  }

  /** Shows the server a text, as a new version also when only other files changed: what it said before is then void. */
  sync(path: string, text: string): void {
    const world = this.world(path)
    this.server.documents.sync(path, text, { renew: this.worldAtSync.get(path) !== world })
    this.worldAtSync.set(path, world)
  }

  /** Files that matter to the server, as of the last look. */
  files(): readonly string[] {
    return [...this.scan.stamps.keys()]
  }

  /** A number that changes when any other file than this one did. */
  world(path: string): number {
    return this.changes - (this.changesOf.get(path) ?? 0)
  }

  /** The problems of a file as they were last found. */
  known(path: string): KnownProblems | undefined {
    return this.problems.get(path)
  }

  remember(path: string, { text, problems }: Pick<KnownProblems, "text" | "problems">): void {
    this.problems.delete(path)
    this.problems.set(path, { text, problems, world: this.world(path) })
    for (const oldest of this.problems.keys()) {
      if (this.problems.size <= maxKnown) break
      this.problems.delete(oldest)
    }
  }
}
