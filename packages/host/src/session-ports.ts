import type { SessionPorts } from "@haft/contract"
import { pruneHistory } from "./files/history/prune-history.js"
import { openSessionFiles, type SessionFilesOptions } from "./files/session-files.js"
import { sweepSessionFolders } from "./files/session-folder.js"
import { findRepository } from "./git-index/index.js"
import { lazyProcessPorts } from "./lazy-process-ports.js"
import { noProcessPorts } from "./no-process-ports.js"
import type { ProcessOptions } from "./process-ports.js"
import { sweepHeldNames } from "./sandbox/protected/held-names.js"
import { createSearch } from "./search/index.js"
import { createServicePorts, noServicePorts, type ServiceOptions } from "./service-ports.js"

/** What the ports of a session are. */
export interface SessionPortsOptions extends SessionFilesOptions {
  /** How processes are confined; without it nothing can be started. */
  readonly processes?: ProcessOptions
  /** What the session reaches besides files and processes; without it nothing. */
  readonly services?: ServiceOptions
  /** Bytes of former content that may stay when the session closes; by default all. */
  readonly historyMaxBytes?: number
}

/** The ports of one session on this machine. Closing them keeps the session's folder: it may be opened again. */
export async function openSessionPorts(options: SessionPortsOptions): Promise<SessionPorts> {
  // What cannot be removed now is tried again at the next start, and by the sweep of old sessions.
  await sweepSessionFolders(options.sessionFolder).catch(() => undefined)
  const files = openSessionFiles(options)
  const { sessionFolder, historyFolder, processes } = options
  const opened = files.roots.map(({ path, held }) => ({ path, self: held.self }))
  if (processes) await sweepHeldNames(processes.sandbox.haftHome)
  // What a language server reads does not count as read by the model, so it has a ledger of its own.
  const serverFiles = openSessionFiles(options)
  let maskLost: () => void = () => undefined
  const place = {
    ...{ roots: opened.map(({ path }) => path), opened, committed: files.committed },
    ...{ directory: files.directory, sessionFolder, historyFolder, serverFiles: serverFiles.files },
    onMaskLost: () => maskLost(),
  }
  const {
    close: endProcesses,
    watched,
    ...processPorts
  } = processes
    ? lazyProcessPorts(async () => (await import("./process-ports.js")).createProcessPorts(processes, place))
    : noProcessPorts
  const { close: endServices, ...services } = options.services ? createServicePorts(options.services) : noServicePorts
  return {
    ...processPorts,
    ...services,
    onMaskLost(listener) {
      maskLost = listener
    },
    locate: files.locate,
    isTracked: files.isTracked,
    repository: findRepository,
    files: (call) => watched(files.files(call)),
    filesToShow: files.filesToShow,
    search: createSearch(files),
    peek: files.peek,
    contentHash: files.contentHash,
    writeSidecar: files.writeSidecar,
    async close() {
      await Promise.all([endProcesses(), endServices()])
      await Promise.all([files.close(), serverFiles.close()])
      if (options.historyMaxBytes === undefined) return
      const { historyFolder, historyMaxBytes: maxBytes } = options
      await pruneHistory({ historyFolder, maxBytes, maxAgeMs: Number.POSITIVE_INFINITY })
    },
  }
}
