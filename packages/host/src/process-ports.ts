import { join } from "node:path"
import type { CallScope, FileReader, FileWriter, SessionPorts } from "@haft/contract"
import { createCommands } from "./commands/index.js"
import { createGitInstaller, type MissingGit } from "./git/install-missing-git.js"
import { createJobs } from "./jobs/index.js"
import { createLanguageServers, noteWrites } from "./lsp/index.js"
import { createObserver } from "./observe/index.js"
import { createRepl } from "./repl/index.js"
import type { OpenedRoot } from "./sandbox/held-trees.js"
import { type CommandSandbox, createSandbox, heldNames, type Sandbox, type SandboxOptions } from "./sandbox/index.js"

/** How processes of a session are confined, besides what its files already say. */
export interface ProcessOptions {
  readonly sandbox: Omit<SandboxOptions, "roots" | "opened" | "directory" | "sessionFolder" | "onMaskLost">
  /** Makes the port for commands in machines of their own; output that does not fit goes into this folder. */
  readonly box: (outputFolder: string) => SessionPorts["box"]
  /** Whether the person trusts the folder: language servers start only then. */
  readonly trusted: boolean
  /** Installs git at the first need; absent where the user does not want that. */
  readonly git?: MissingGit
}

/** Where the processes of a session work. */
interface Place {
  /** Absolute, links followed. */
  readonly roots: readonly string[]
  /** The same, as they were opened when the session began. */
  readonly opened: readonly OpenedRoot[]
  readonly directory: string
  readonly sessionFolder: string
  readonly historyFolder: string
  /** Reads for language servers, apart from what the model has read. */
  readonly serverFiles: (call: CallScope) => FileReader
  /** Told when a running process may see a file that was hidden from it. */
  readonly onMaskLost: () => void
}

/** The ports that start processes, and the end of all that they started. */
export type ProcessPorts = Pick<SessionPorts, "commands" | "jobs" | "repl" | "box" | "languages" | "maskCoverage"> & {
  rulesChanged: NonNullable<SessionPorts["rulesChanged"]>
  /** The same files, with language servers told about every write. */
  watched(files: FileReader & FileWriter): FileReader & FileWriter
  close(): Promise<void>
}

/** The process ports of a session. Nothing is looked at or started before the first command comes. */
export function createProcessPorts(options: ProcessOptions, place: Place): ProcessPorts {
  const { roots, opened: openedRoots, directory, sessionFolder, historyFolder } = place
  let made: Promise<Sandbox> | undefined
  const opened = () => {
    made ??= createSandbox({
      ...{ ...options.sandbox, roots, opened: openedRoots, directory, sessionFolder },
      onMaskLost: place.onMaskLost,
    })
    return made
  }
  const sandbox: CommandSandbox = {
    prepare: async (request) => (await opened()).prepare(request),
    shows: async (program, wall) => (await opened()).shows(program, wall),
  }
  const workplace = { sandbox, roots, directory, sessionFolder, path: options.sandbox.path }
  const held = () => heldNames(options.sandbox.haftHome)
  const observe = createObserver({ roots, directory, historyFolder, sessionFolder, held })
  const jobs = createJobs({ ...workplace, observe })
  const repl = createRepl(workplace)
  const servers = createLanguageServers({
    ...{ sandbox, roots, path: options.sandbox.path },
    files: place.serverFiles,
    trusted: options.trusted,
  })
  return {
    commands: createCommands({
      ...{ ...workplace, observe, historyFolder },
      ...(options.git && { installGit: createGitInstaller(options.git) }),
    }),
    jobs: jobs.jobs,
    repl: repl.repl,
    box: options.box(join(sessionFolder, "out")),
    languages: servers.languages,
    maskCoverage: async (rules) => (await opened()).coverage(rules),
    async rulesChanged(rules) {
      const dropped = made?.then((one) => one.rulesChanged())
      const ended = await Promise.all([jobs, repl, servers].map((each) => each.rulesChanged(rules)))
      await dropped
      return ended.flat()
    },
    watched: (files) =>
      noteWrites(files, {
        noteWrite(path, before) {
          servers.noteWrite(path, before)
          void made?.then((one) => one.wrote(path))
        },
      }),
    async close() {
      await Promise.all([jobs.close(), repl.close(), servers.close()])
      await observe.close()
      await (await made)?.close()
    },
  }
}
