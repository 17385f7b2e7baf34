import { existsSync, realpathSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { type CallScope, type FileReader, type FileWriter, type Located, ToolError } from "@haft/contract"
import { CommittedFiles } from "@haft/git"
import { createFileSession, display, type FileSession } from "./file-session.js"
import { Ledger } from "./ledger.js"
import { contentHashOf } from "./read/content-hash-of.js"
import { locate } from "./read/open-file.js"
import { peek } from "./read/peek.js"
import { createReader, type OpenDirectory, openDirectory } from "./read/reader.js"
import { createSessionFolder, type SessionTemporary, sessionTemporary, temporaryIn } from "./session-folder.js"
import { errnoOf, fileError } from "./system/errno.js"
import { openRoot } from "./walk/open-root.js"
import { createRootSet, type Root, type RootSet, retarget } from "./walk/walk.js"
import { createWriter } from "./write/writer.js"

export interface SessionFilesOptions {
  readonly roots: readonly string[]
  /** Where relative paths start; inside a root. */
  readonly directory: string
  /** Holds whole outputs and scratch space; made when needed, removed with removeSessionFolder. */
  readonly sessionFolder: string
  /** Holds former content for undo. */
  readonly historyFolder: string
  /**
   * The session has a folder of its own as /tmp and /var/tmp; places of the machine that are in those and stay what they are.
   * Absent: they are the machine's.
   */
  readonly keptOfTemporary?: readonly string[]
  /** Files outside the roots whose directories the session may reach. */
  readonly adHocFiles?: readonly string[]
}

/** The files of one session on this machine. */
export interface SessionFiles {
  readonly directory: string
  /** The roots of the session as they were opened; held until it is closed. */
  readonly roots: readonly Root[]
  /** What was committed in the roots when the session began, in the same order. */
  readonly committed: readonly CommittedFiles[]
  locate(path: string): Promise<Located>
  display(path: string): string
  isTracked(path: string): boolean
  files(call: CallScope): FileReader & FileWriter
  filesToShow(call: CallScope): FileReader
  /** Holds a directory, or the directory of a file, for a child process. */
  openDirectory(path: string, call?: CallScope): Promise<OpenDirectory>
  contentHash(path: string): Promise<string | null>
  /** The text of a small file inside the roots, for judging; undefined when there is none, null when it cannot be read. */
  peek(path: string, admits?: (resolved: string) => boolean): string | null | undefined
  writeSidecar(callId: string, text: string): Promise<string>
  close(): Promise<void>
}

/** Opens the roots of a session. A missing root is `not_found`, a working directory outside all of them `invalid_args`. */
export function openSessionFiles(options: SessionFilesOptions): SessionFiles {
  const opened: Root[] = []
  try {
    for (const path of options.roots) opened.push(openRoot(path))
    for (const file of options.adHocFiles ?? []) {
      const directory = dirname(resolve(options.directory, file))
      // A buffer of an editor may not be saved yet; its directory then gives no reach.
      if (existsSync(directory)) opened.push(openRoot(directory))
    }
    return composeFiles(options, opened)
  } catch (error) {
    for (const root of opened) root.close()
    throw error
  }
}

function composeFiles(options: SessionFilesOptions, opened: readonly Root[]): SessionFiles {
  const folder = createSessionFolder(resolve(options.sessionFolder))
  const known = createRootSet(() => (folder.isOpen() ? [...opened, ...folder.roots()] : opened))
  const temporary = temporaryOf(options, opened)
  // Made when the session begins: a command may move HEAD later.
  const committed = new Map(opened.map(({ path }) => [path, new CommittedFiles(path)]))
  let isClosed = false
  const roots: RootSet = {
    target(absolute, purpose) {
      if (isClosed) throw sessionClosed(purpose.action, purpose.shown)
      if (temporary?.holds(absolute)) {
        const root = folder.temporary()
        return retarget({ root, below: temporary.placeOf(absolute).slice(temporary.folder.length + 1) }, purpose)
      }
      folder.openFor(absolute)
      return known.target(absolute, purpose)
    },
  }
  const directory = workingDirectory(options.directory, known)
  const session = createFileSession({
    directory,
    roots,
    historyFolder: resolve(options.historyFolder),
    scratchFolder: folder.scratchPath,
    temporary,
  })
  return {
    directory,
    roots: opened.slice(0, options.roots.length),
    committed: opened.slice(0, options.roots.length).flatMap(({ path }) => committed.get(path) ?? []),
    locate: (path) => locate(session, path),
    display: (path) => display(session, path),
    isTracked(path) {
      const root = known.target(path, { action: "find", shown: path })?.root
      return root !== undefined && (committed.get(root.path)?.has(path) ?? false)
    },
    files: (call) => filesOf(session, call),
    // A ledger of its own: the next write must still notice what changed since the model read it.
    filesToShow: (call) => createReader({ ...session, ledger: new Ledger() }, call),
    openDirectory: (path, call) => openDirectory(session, path, call),
    peek: (path, admits) => peek(session, path, admits),
    contentHash: (path) => contentHashOf(session, path),
    async writeSidecar(callId, text) {
      if (isClosed) throw sessionClosed("keep the output of", callId)
      return writeSidecar(folder.output().path, callId, text)
    },
    async close() {
      isClosed = true
      for (const held of [...session.open]) held.release()
      session.looked.close()
      for (const root of opened) root.close()
      folder.close()
    },
  }
}

function temporaryOf(
  { sessionFolder, keptOfTemporary }: SessionFilesOptions,
  opened: readonly Root[],
): SessionTemporary | undefined {
  if (!keptOfTemporary) return undefined
  const roots = opened.flatMap(({ path, spelled }) => [path, spelled])
  return sessionTemporary(temporaryIn(resolve(sessionFolder)), [...roots, ...keptOfTemporary])
}

/** A port of a session does nothing after its end, and makes none of its folders again. */
function sessionClosed(action: string, shown: string): ToolError {
  return new ToolError("cancelled", `Cannot ${action} "${shown}": the session is closed; open another one`)
}

/** Written out rather than spread, and the writer made when something is written: most calls only read. */
function filesOf(session: FileSession, call: CallScope): FileReader & FileWriter {
  const { open, readAll, stat, list, locate: find, display: show } = createReader(session, call)
  let made: FileWriter | undefined
  const writer = () => {
    made ??= createWriter(session, call)
    return made
  }
  return {
    open,
    readAll,
    stat,
    list,
    locate: find,
    display: show,
    write: (path, bytes, options) => writer().write(path, bytes, options),
    update: (path, options, change) => writer().update(path, options, change),
    remove: (path, options) => writer().remove(path, options),
    move: (from, to) => writer().move(from, to),
  }
}

function workingDirectory(path: string, roots: RootSet): string {
  const spelled = resolve(path)
  if (!existsSync(spelled)) {
    throw new ToolError("not_found", `Cannot work in "${path}": it does not exist; name a directory inside a root`)
  }
  const directory = realpathSync.native(spelled)
  if (roots.target(directory, { action: "work in", shown: path })) return directory
  throw new ToolError("invalid_args", `Cannot work in "${path}": it is outside the roots; name a directory inside one`)
}

/** Writes the whole output of a call into the folder and returns the path; a second output of a call gets its own. */
async function writeSidecar(folder: string, callId: string, text: string): Promise<string> {
  // An id comes from a caller: it must not be able to name another place.
  const name = callId.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 80) || "call"
  for (let attempt = 1; ; attempt++) {
    const path = join(folder, attempt === 1 ? `${name}.txt` : `${name}-${attempt}.txt`)
    try {
      await writeFile(path, text, { flag: "wx", mode: 0o600 })
      return path
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw fileError(error, "keep the output of", callId)
    }
  }
}
