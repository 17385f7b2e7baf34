import { bestEffort, type SessionPorts, ToolError } from "@haft/contract"
import { findRepository } from "@haft/git"
import { openSessionFiles, type SessionFilesOptions } from "./files/session-files.js"
import { sweepSessionFolders } from "./files/session-folder.js"
import type { ProcessOptions, ProcessPorts } from "./process-ports.js"
import { sweepPlaceholders } from "./sandbox/protected/placeholder-ledger.js"
import { createSearch } from "./search/index.js"
import { createServicePorts, noServicePorts, type ServiceOptions } from "./service-ports.js"
import { pruneHistory } from "./undo/keep/prune-history.js"

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
  await bestEffort("the next start and the sweep of old sessions try again", sweepSessionFolders(options.sessionFolder))
  const files = openSessionFiles(options)
  const { sessionFolder, historyFolder, processes } = options
  const opened = files.roots.map(({ path, held }) => ({ path, self: held.self }))
  if (processes) await sweepPlaceholders(processes.sandbox.haftHome)
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

/** Loads the process ports when the first process is wanted: most calls start none, and every run pays for what it loads. */
export function lazyProcessPorts(load: () => Promise<ProcessPorts>): ProcessPorts {
  let loading: Promise<ProcessPorts> | undefined
  let loaded: ProcessPorts | undefined
  let isClosed = false
  // A port that outlives its session starts nothing: nobody is left to stop it.
  const assertOpen = () => {
    if (!isClosed) return
    throw new ToolError("cancelled", "Cannot start a process: the session is closed; open another one")
  }
  const ports = async (): Promise<ProcessPorts> => {
    assertOpen()
    loading ??= load()
    loaded = await loading
    assertOpen()
    return loaded
  }
  return {
    commands: (call) => ({
      run: async (request) => (await ports()).commands(call).run(request),
      find: async (program) => (await ports()).commands(call).find(program),
      obtain: async (program) => (await ports()).commands(call).obtain?.(program),
      denies: (kind, path) => call.grant.denies(kind, path),
    }),
    jobs: (call) => ({
      start: async (request) => (await ports()).jobs(call).start(request),
      output: async (id, options) => (await ports()).jobs(call).output(id, options),
      input: async (id, text) => (await ports()).jobs(call).input(id, text),
      stop: async (id) => (await ports()).jobs(call).stop(id),
      list: () => loaded?.jobs(call).list() ?? [],
    }),
    repl: (call) => ({ evaluate: async (request) => (await ports()).repl(call).evaluate(request) }),
    box: (call) => ({ run: async (request) => (await ports()).box(call).run(request) }),
    languages: (call) => ({
      ask: async (request) => (await ports()).languages(call).ask(request),
      // A server that was never asked for is not running.
      afterWrite: async (path) => loaded?.languages(call).afterWrite(path),
    }),
    servers: (call) => ({
      start: async (request) => (await ports()).servers(call).start(request),
      find: async (program) => (await ports()).servers(call).find(program),
      dataFolder: async (name) => (await ports()).servers(call).dataFolder(name),
    }),
    workspaceFacts: async (request) => (await ports()).workspaceFacts(request),
    // Before the first process there is none that could be too free. One that is about to start knows its own moment.
    rulesChanged: async (rules) => (await loading)?.rulesChanged(rules) ?? [],
    watched: (files) => loaded?.watched(files) ?? files,
    async close() {
      isClosed = true
      await (await loading)?.close()
    },
  }
}

/** The process ports of a session that starts nothing. */
const noProcessPorts: ProcessPorts = {
  commands: () => ({ run: refuse, find: async () => undefined }),
  jobs: () => ({ start: refuse, output: refuse, input: refuse, stop: refuse, list: () => [] }),
  repl: () => ({ evaluate: refuse }),
  box: () => ({ run: refuse }),
  languages: () => ({ ask: refuse, afterWrite: async () => undefined }),
  servers: () => ({ start: refuse, find: refuse, dataFolder: refuse }),
  workspaceFacts: async () => ({ unmasked: [] }),
  rulesChanged: async () => [],
  watched: (files) => files,
  close: async () => undefined,
}

async function refuse(): Promise<never> {
  throw new ToolError("not_configured", "Cannot start a process: this session was opened without any", {
    fix: "Open the session with process options",
  })
}
