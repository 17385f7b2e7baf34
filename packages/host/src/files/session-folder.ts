import { chmodSync, mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs"
import { rmdir } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { bestEffort, isInside } from "@haft/contract"
import { withLock } from "../lock/lock.js"
import { isRunning, processToken } from "../lock/process-identity.js"
import { fileError } from "./system/errno.js"
import { removeOwnFolder } from "./tree/remove-tree.js"
import { openRoot } from "./walk/open-root.js"
import type { Root } from "./walk/walk.js"

/** The folders of a session outside its workspace: outputs that were too long, and scratch space. */
export interface SessionFolder {
  /** Where temporary files of the session go. */
  readonly scratchPath: string
  /** The folder for whole outputs, made on the first use. */
  output(): Root
  /** Makes and opens the folder that a path is in, when it is one of these. */
  openFor(absolute: string): void
  /** The folder that the session has as /tmp, made on the first use. */
  temporary(): Root
  /** Whether any of the folders was needed so far. */
  isOpen(): boolean
  /** The folders that are open. */
  roots(): readonly Root[]
  close(): void
}

// What the process ports keep beside outputs and scratch space.
const madeByProcesses = ["before", "home", "outside", "quarantine", "sandbox", "index"]
// What only commands of a session that is open need.
const forCommands = ["tmp", "home", "outside"]

/** Removes whole outputs and scratch space of a session that ended; links are removed, not followed. */
export async function removeSessionFolder(path: string): Promise<void> {
  for (const folder of [...Object.values(foldersIn(path)), ...madeByProcesses.map((name) => join(path, name))]) {
    await removeOwnFolder(folder)
  }
  await leaveSessionFolder(path)
}

/** Removes /tmp and the home directory of a session; outputs and what was moved aside stay readable. */
export async function removeTemporary(path: string): Promise<void> {
  for (const name of forCommands) await removeOwnFolder(join(path, name))
  await leaveSessionFolder(path)
}

/** To be called when this process lets go of a session. */
export async function leaveSessionFolder(path: string): Promise<void> {
  rmSync(markOf(path), { force: true })
  await bestEffort("a session's folder that holds anything stays", rmdir(path))
}

/**
 * To be called before anything is made that a killed process must not leave behind: /tmp or the home directory. The marks
 * of open sessions have a folder of their own, so that the next start looks at those and not at every session of a day.
 */
export function markSessionFolder(path: string): void {
  const mark = markOf(path)
  mkdirSync(dirname(mark), { recursive: true, mode: 0o700 })
  writeFileSync(mark, "", { mode: 0o600 })
}

// The removal of a gigabyte in many files, and more.
const waiting = { action: "clean up after a killed process", patienceMs: 60_000, pauseMs: 50 }

/** Removes /tmp and the home directory of sessions whose process was killed. To be called before a session opens. */
export async function sweepSessionFolders(path: string): Promise<void> {
  const marks = marksBeside(path)
  if (deadMarks(marks).length === 0) return
  // A session that is opened again waits here until nobody removes its folders any more.
  await withLock(`${marks}.lock`, waiting, async () => {
    for (const { mark, session } of deadMarks(marks)) {
      const isOpenAgain = readdirSync(marks).some((name) => name !== mark && name.endsWith(`.${session}`))
      // The name is ours: anything else does not lead to a deletion.
      if (/^[0-9a-f]{32}$/.test(session) && !isOpenAgain) await removeTemporary(join(dirname(path), session))
      rmSync(join(marks, mark), { force: true })
    }
  })
}

function deadMarks(marks: string): readonly { readonly mark: string; readonly session: string }[] {
  const names = bestEffort("no session was ever marked here", () => readdirSync(marks)) ?? []
  return names.flatMap((mark) => {
    const [namespace, token, session] = mark.split(".")
    // The number of a process means something only where it was given.
    const isDead = session !== undefined && namespace === processNamespace() && !isRunning(token!)
    return isDead ? [{ mark, session }] : []
  })
}

function markOf(path: string): string {
  return join(marksBeside(path), `${processNamespace()}.${processToken()}.${basename(path)}`)
}

function marksBeside(path: string): string {
  return `${dirname(path)}-open`
}

function processNamespace(): string {
  const name = bestEffort("other systems have no namespaces", () => readlinkSync("/proc/self/ns/pid"))
  return /\d+/.exec(name ?? "")?.[0] ?? "0"
}

/** Knows the folders of a session; nothing is made before it is needed. */
export function createSessionFolder(path: string): SessionFolder {
  const folders = foldersIn(path)
  const open = new Map<string, Root>()
  const openFolder = (folder: string): Root => {
    const known = open.get(folder)
    if (known) return known
    if (folder === folders.temporary) markSessionFolder(path)
    makeFolder(folder)
    if (folder === folders.temporary) chmodSync(folder, temporaryMode)
    const root = openRoot(folder)
    open.set(folder, root)
    return root
  }
  return {
    scratchPath: folders.scratch,
    output: () => openFolder(folders.output),
    temporary: () => openFolder(folders.temporary),
    openFor(absolute) {
      if (!isInside(absolute, path)) return
      for (const folder of Object.values(folders)) if (isInside(absolute, folder)) openFolder(folder)
    },
    isOpen: () => open.size > 0,
    roots: () => [...open.values()],
    close() {
      for (const root of open.values()) root.close()
      open.clear()
    },
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw fileError(error, "make", folder)
  }
}

function foldersIn(path: string): Readonly<Record<"output" | "scratch" | "temporary", string>> {
  return { output: join(path, "out"), scratch: join(path, "scratch"), temporary: temporaryIn(path) }
}

/** Where a session has its /tmp. */
export function temporaryIn(sessionFolder: string): string {
  return join(sessionFolder, "tmp")
}

/** As programs expect it of a temporary folder; the folder around it is closed to everybody else. */
export const temporaryMode = 0o1777

/** The temporary folders of a machine, which a session has as one folder of its own. */
export const temporaryFolders = ["/tmp", "/var/tmp"] as const

/** Where the temporary folders of a session really are, and what of the machine's stays what it is. */
export interface SessionTemporary {
  /** The folder that all of them mean. */
  readonly folder: string
  /** Whether a path of a tool or a command means the session's folder. */
  holds(absolute: string): boolean
  /** Where such a path really is; every other path is where it says. */
  placeOf(absolute: string): string
  /** A path in the folder as tools and commands name it; undefined for every other path. */
  nameOf(path: string): string | undefined
}

/**
 * The temporary folders of a session. Workspaces and other places that are in one of the machine's stay what they are, and
 * so does all that is beside them: who works in `/tmp/a/project` means the machine by `../notes`.
 */
export function sessionTemporary(folder: string, kept: readonly string[]): SessionTemporary {
  const whole = temporaryFolders.filter((name) => kept.includes(name))
  const tops = temporaryFolders.flatMap((name) =>
    kept.flatMap((path) =>
      path !== name && isInside(path, name) ? [join(name, path.slice(name.length + 1).split("/")[0]!)] : [],
    ),
  )
  const around = (absolute: string) =>
    temporaryFolders.find((name) => isInside(absolute, name) && !whole.includes(name))
  const holds = (absolute: string) => around(absolute) !== undefined && !tops.some((top) => isInside(absolute, top))
  return {
    folder,
    holds,
    placeOf: (absolute) => (holds(absolute) ? folder + absolute.slice(around(absolute)!.length) : absolute),
    nameOf: (path) => (isInside(path, folder) ? temporaryFolders[0] + path.slice(folder.length) : undefined),
  }
}
