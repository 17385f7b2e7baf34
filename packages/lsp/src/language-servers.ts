import { realpathSync } from "node:fs"
import type { CallScope, EndedProcess, FileReader, LanguageServers, PathRules, WalledCall } from "@haft/contract"
import type { CommandSandbox } from "@haft/host"
import { afterWrite } from "./after-write.js"
import { ask } from "./ask.js"
import { type ServerSpec, specOf } from "./find/server-table.js"
import { serverTable } from "./find/server-table.js"
import { createFormerTexts } from "./after-write.js"
import { defaultLimits, type LanguageLimits, maxDocumentBytes } from "./limits.js"
import { createServerPool } from "./pool/server-pool.js"

/** What the language servers of a session are made from. */
export interface LanguageServersOptions {
  readonly sandbox: CommandSandbox
  readonly roots: readonly string[]
  /** Reads inside the grant of a call. What is read here for a server does not count as read by the model. */
  readonly files: (call: CallScope) => FileReader
  /** Whether the person trusts the folder; without that no server starts. */
  readonly trusted: boolean
  /** Where programs are found; the search path of this process by default. */
  readonly path?: string
  /** The servers that are known; by default those of the table. */
  readonly table?: readonly ServerSpec[]
  readonly limits?: Partial<LanguageLimits>
}

/** The language servers of one session; one of a kind serves all calls. */
export interface SessionLanguageServers {
  /** The servers as one call sees them: everything that they say is judged by its grant. */
  languages(call: WalledCall): LanguageServers
  /** To be told of every write, with the bytes that it replaced: so new problems can be told from old ones. */
  noteWrite(path: string, before: Uint8Array | undefined): void
  /** Ends the servers whose wall is wider than the rules now allow; they start anew when they are wanted. */
  rulesChanged(rules: PathRules): Promise<readonly EndedProcess[]>
  /** Ends all servers; they start anew when they are wanted. */
  endAll(): Promise<void>
  /** Ends all servers for good. */
  close(): Promise<void>
}

/** Finds, starts and asks the language servers of a session. Nothing is started before it is wanted. */
export function createLanguageServers(options: LanguageServersOptions): SessionLanguageServers {
  const { trusted, table = serverTable } = options
  const limits = { ...defaultLimits, ...options.limits }
  // Servers tell of files by their real paths.
  const roots = options.roots.map((root) => realpathSync.native(root))
  const pool = createServerPool({ ...options, roots, limits })
  const former = createFormerTexts(maxDocumentBytes)

  return {
    languages(call) {
      const common = { pool, table, roots, trusted, limits, call, files: options.files(call) }
      return {
        ask: (request) => ask(request, common),
        afterWrite: (written) => afterWrite(written, { ...common, former }),
      }
    },
    noteWrite(written, before) {
      const spec = specOf(written, table)
      if (spec && pool.serves(spec)) former.keep(written, before ?? null)
    },
    rulesChanged: pool.rulesChanged,
    endAll: pool.endAll,
    close: pool.close,
  }
}
