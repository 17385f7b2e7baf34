import type { SessionPorts } from "@haft/contract"
import { createCompute } from "./compute/index.js"
import { pruneHistory } from "./files/history/prune-history.js"
import { openSessionFiles, type SessionFilesOptions } from "./files/session-files.js"
import { createSearch } from "./search/index.js"

/** What the ports of a session are. */
export interface SessionPortsOptions extends SessionFilesOptions {
  /** Bytes of former content that may stay when the session closes; by default all. */
  readonly historyMaxBytes?: number
}

/** The ports of one session on this machine. Closing them keeps the session's folder: it may be opened again. */
export async function openSessionPorts(options: SessionPortsOptions): Promise<SessionPorts> {
  const files = openSessionFiles(options)
  const compute = createCompute()
  return {
    locate: files.locate,
    isTracked: files.isTracked,
    files: files.files,
    search: createSearch(files),
    compute,
    contentHash: files.contentHash,
    writeSidecar: files.writeSidecar,
    async close() {
      await Promise.all([files.close(), compute.close()])
      if (options.historyMaxBytes === undefined) return
      const { historyFolder, historyMaxBytes: maxBytes } = options
      await pruneHistory({ historyFolder, maxBytes, maxAgeMs: Number.POSITIVE_INFINITY })
    },
  }
}
