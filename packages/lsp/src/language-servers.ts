import { realpathSync } from "node:fs"
import type { CallScope, FileReader } from "@haft/contract"
import type { CommandSandboxes, SessionLanguages } from "@haft/host"
import { afterWrite, FormerTexts } from "./after-write.js"
import { ask } from "./ask.js"
import { type ServerSpec, serverTable, specOf } from "./find/server-table.js"
import { defaultLimits, type LanguageLimits } from "./limits.js"
import { ServerPool } from "./pool/server-pool.js"

/** What the language servers of a session are made from. */
export interface LanguageServersOptions {
  readonly sandboxes: CommandSandboxes
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

/** Finds, starts and asks the language servers of a session. Nothing is started before it is wanted. */
export function createLanguageServers(options: LanguageServersOptions): SessionLanguages {
  const { trusted, table = serverTable } = options
  const limits = { ...defaultLimits, ...options.limits }
  // Servers name files by their real paths.
  const roots = options.roots.map((root) => realpathSync.native(root))
  const pool = new ServerPool({ ...options, roots, limits })
  const former = new FormerTexts()

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
    rulesChanged: (rules) => pool.rulesChanged(rules),
    close: () => pool.close(),
  }
}
