import { join } from "node:path"
import type {
  CallScope,
  EndedProcess,
  FileReader,
  FileWriter,
  LanguageServers,
  PathRules,
  SandboxedCall,
  SessionPorts,
  WriteReceipt,
} from "@haft/contract"
import type { CommittedFiles } from "@haft/git"
import { createCommands } from "./run/command/create-commands.js"
import { SessionJobs } from "./run/job/session-jobs.js"
import { SessionRepl } from "./run/repl/session-repl.js"
import { SessionServers } from "./run/server/session-servers.js"
import {
  type CommandSandboxes,
  createSandboxes,
  placeholdersOf,
  type Sandboxes,
  type SandboxOptions,
} from "./sandbox/index.js"
import { WorkspaceMasks } from "./sandbox/masks/workspace-masks.js"
import type { OpenedRoot } from "./sandbox/options.js"
import { holdTree } from "./sandbox/plan/session-roots.js"
import { privateFolders } from "./sandbox/view/system-mounts.js"
import { createObserver } from "./undo/record/create-observer.js"
import { WorkspaceIndex } from "./workspace-index/index.js"

/** How processes of a session are confined, besides what its files already say. */
export interface ProcessOptions {
  readonly sandbox: Omit<
    SandboxOptions,
    "roots" | "opened" | "indexes" | "masks" | "committed" | "directory" | "sessionFolder" | "onMaskLost"
  >
  /** Makes the port for commands in machines of their own; output that does not fit goes into this folder. */
  readonly box: (outputFolder: string) => SessionPorts["box"]
  /** Opens the language servers of the session when the first question comes. */
  readonly languages: (place: LanguagePlace) => Promise<SessionLanguages>
  /** Installs git at the first need; absent where the user does not want that. */
  readonly installGit?: ((signal: AbortSignal) => Promise<string>) | undefined
}

/** What language servers are started from. */
export interface LanguagePlace {
  readonly sandboxes: CommandSandboxes
  readonly roots: readonly string[]
  /** Where programs are found. */
  readonly path: string
  /** Reads inside the grant of a call; nothing of it counts as read by the model. */
  readonly files: (call: CallScope) => FileReader
}

/** The language servers of one session; one of a kind serves all calls. */
export interface SessionLanguages {
  /** The servers as one call sees them: everything that they say is judged by its grant. */
  languages(call: SandboxedCall): LanguageServers
  /** To be called for every write, with the bytes that it replaced: so new problems can be distinguished from old ones. */
  noteWrite(path: string, before: Uint8Array | undefined): void
  /** Ends the servers that could see more than the rules now allow; they start anew when they are wanted. */
  rulesChanged(rules: PathRules): Promise<readonly EndedProcess[]>
  /** Ends all servers for good. */
  close(): Promise<void>
}

/** Where the processes of a session work. */
interface Place {
  /** Absolute, links followed. */
  readonly roots: readonly string[]
  /** The same, as they were opened when the session began. */
  readonly opened: readonly OpenedRoot[]
  /** What was committed in them at that time. */
  readonly committed: readonly CommittedFiles[]
  readonly directory: string
  readonly sessionFolder: string
  readonly historyFolder: string
  /** Reads for language servers, apart from what the model has read. */
  readonly serverFiles: (call: CallScope) => FileReader
  /** Called when a running process may see a file that was hidden from it. */
  readonly onMaskLost: () => void
}

/** The ports that start processes, and the end of all that they started. */
export type ProcessPorts = Pick<
  SessionPorts,
  "commands" | "jobs" | "repl" | "box" | "languages" | "servers" | "workspaceFacts"
> & {
  rulesChanged: NonNullable<SessionPorts["rulesChanged"]>
  /** The same files; language servers are notified of every write. */
  watched(files: FileReader & FileWriter): FileReader & FileWriter
  close(): Promise<void>
}

/** The process ports of a session. Nothing is looked at or started before the first command comes. */
export function createProcessPorts(options: ProcessOptions, place: Place): ProcessPorts {
  const { roots, directory, sessionFolder, historyFolder } = place
  const workspace = openWorkspace(place)
  const { indexes } = workspace
  const masks = new WorkspaceMasks(indexes)
  const { sandboxes, made } = lateSandboxes(options, place, { indexes, masks })
  const workplace = { sandboxes, roots, directory, sessionFolder, path: options.sandbox.path }
  const held = () => placeholdersOf(options.sandbox.haftHome)
  const observe = createObserver({ roots, indexes, directory, historyFolder, sessionFolder, held })
  const jobs = new SessionJobs({ ...workplace, observe })
  const repl = new SessionRepl(workplace)
  const servers = new SessionServers({
    ...{ sandboxes, roots, directory, path: options.sandbox.path },
    dataFolder: join(options.sandbox.haftHome, "data"),
  })
  const languages = new LateLanguages(() =>
    options.languages({ sandboxes, roots, path: options.sandbox.path, files: place.serverFiles }),
  )
  return {
    commands: createCommands({
      ...{ ...workplace, observe, historyFolder },
      ...(options.installGit && { installGit: options.installGit }),
    }),
    jobs: (call) => jobs.port(call),
    repl: (call) => repl.port(call),
    box: options.box(join(sessionFolder, "out")),
    languages: (call) => languages.languages(call),
    servers: (call) => servers.port(call),
    workspaceFacts: (request) => masks.facts(request),
    async rulesChanged(rules) {
      const dropped = made()?.then((one) => one.rulesChanged())
      const ended = await Promise.all([jobs, repl, languages, servers].map((each) => each.rulesChanged(rules)))
      await dropped
      return ended.flat()
    },
    watched: (files) =>
      noteWrites(files, {
        noteWrite(path, before) {
          languages.noteWrite(path, before)
          void made()?.then((one) => one.wrote(path))
        },
      }),
    async close() {
      await Promise.all([jobs.close(), repl.close(), languages.close(), servers.close()])
      await observe.close()
      workspace.close()
      await (await made())?.close()
    },
  }
}

/** The roots, held open, with an index of each. */
function openWorkspace({ roots, opened, sessionFolder }: Place) {
  const trees = roots.map((path, index) => holdTree({ ...opened[index], path }))
  const indexes = trees.map(
    ({ path, at }, index) =>
      new WorkspaceIndex({
        ...{ root: path, at, skip: privateFolders },
        cookieFolder: join(sessionFolder, "index", String(index)),
      }),
  )
  return {
    indexes,
    close() {
      for (const index of indexes) index.close()
      for (const tree of trees) tree.close()
    },
  }
}

/** Sandboxes that are made when the first one is wanted. */
function lateSandboxes(
  options: ProcessOptions,
  place: Place,
  workspace: Required<Pick<SandboxOptions, "indexes" | "masks">>,
) {
  const { roots, opened: openedRoots, committed, directory, sessionFolder, onMaskLost } = place
  let made: Promise<Sandboxes> | undefined
  const opened = () => {
    made ??= createSandboxes({
      ...{ ...options.sandbox, roots, opened: openedRoots, ...workspace, committed, directory, sessionFolder },
      onMaskLost,
    })
    return made
  }
  const sandboxes: CommandSandboxes = {
    prepare: async (request) => (await opened()).prepare(request),
    shows: async (program, sandbox) => (await opened()).shows(program, sandbox),
  }
  return { sandboxes, made: () => made }
}

/** Language servers that are loaded at the first question: before that, none has to be notified of a write. */
class LateLanguages implements SessionLanguages {
  private readonly load: () => Promise<SessionLanguages>
  private loading: Promise<SessionLanguages> | undefined
  private loaded: SessionLanguages | undefined

  constructor(load: () => Promise<SessionLanguages>) {
    this.load = load
  }

  languages(call: SandboxedCall): LanguageServers {
    return {
      ask: async (request) => (await this.open()).languages(call).ask(request),
      afterWrite: async (path) => this.loaded?.languages(call).afterWrite(path),
    }
  }

  noteWrite(path: string, before: Uint8Array | undefined): void {
    this.loaded?.noteWrite(path, before)
  }

  async rulesChanged(rules: PathRules): Promise<readonly EndedProcess[]> {
    return (await this.loading)?.rulesChanged(rules) ?? []
  }

  async close(): Promise<void> {
    await (await this.loading)?.close()
  }

  private async open(): Promise<SessionLanguages> {
    this.loading ??= this.load()
    this.loaded = await this.loading
    return this.loaded
  }
}

/** A writer that reports what each write replaced. */
export function noteWrites<Files extends FileWriter>(
  files: Files,
  { noteWrite }: Pick<SessionLanguages, "noteWrite">,
): Files {
  const noted = (receipt: WriteReceipt) => {
    noteWrite(receipt.path, receipt.before)
    return receipt
  }
  return {
    ...files,
    write: async (path, bytes, options) => noted(await files.write(path, bytes, options)),
    update: async (path, options, change) => noted(await files.update(path, options, change)),
  }
}
