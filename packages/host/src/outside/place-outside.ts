import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { type SandboxedCall, ToolError } from "@haft/contract"
import { createFileSession, type FileSession } from "../files/file-session.js"
import { errnoOf, fileError } from "../files/system/errno.js"
import { drive } from "../files/system/program.js"
import { readTree } from "../files/tree/read-tree.js"
import { openRoot } from "../files/walk/open-root.js"
import { createRootSet, type HeldDirectory, type Root } from "../files/walk/walk.js"
import type { Seat } from "../files/write/make-parents.js"
import { treeLimits } from "../undo/keep/kept-tree.js"
import { findChanges, type OutsideChange } from "./find-changes.js"
import { PlacedChanges } from "./placed-changes.js"
import { listed, type Owner, PlacedName } from "./placed-name.js"
import type { StagedFolder, StagedName, StagedOutside } from "./stage-outside.js"

/** What is needed to put copies into place. */
export interface PlaceRequest {
  readonly staged: StagedOutside
  readonly call: SandboxedCall
  readonly historyFolder: string
  /** Where new content goes that found its place changed. */
  readonly scratchFolder: string
  /** The root that the command worked in. */
  readonly root: string
  /** The owner of new files, where that is not the user who runs Haft. */
  readonly owner: Owner | undefined
}

/** What became of them; absolute paths. */
export interface OutsideReport {
  readonly written: readonly string[]
  readonly deleted: readonly string[]
  /** What was not written, and what cannot be undone. */
  readonly notes: readonly string[]
}

/**
 * Puts what a command made of its copies into their places, name by name, by the same careful walk that tools write with.
 * What was there is kept for undo. A name that somebody changed meanwhile is left alone, and the new content put aside.
 */
export async function placeOutside(request: PlaceRequest): Promise<OutsideReport> {
  const written: string[] = []
  const deleted: string[] = []
  const notes: string[] = []
  for (const folder of request.staged.folders) {
    const copies = openRoot(folder.copy)
    try {
      for (const name of folder.names) {
        const report = await placeName(request, { folder, name, copies })
        written.push(...report.written)
        deleted.push(...report.deleted)
        notes.push(...report.notes)
      }
      notes.push(...leftOver(folder))
    } finally {
      copies.close()
    }
  }
  return { written, deleted, notes }
}

interface Placing {
  readonly folder: StagedFolder
  readonly name: StagedName
  readonly copies: Root
}

async function placeName(request: PlaceRequest, placing: Placing): Promise<OutsideReport> {
  const { folder, name, copies } = placing
  const reached = await reach(copies, relative(folder.path, name.path).split("/"))
  if (!reached) return { written: [], deleted: [], notes: [] }
  const { seat, close } = reached
  try {
    // Of a name whose folders were missing nothing was copied.
    const before = seat.directory === copies.held ? name.before : new Map<string, never>()
    const changes = await findChanges(seat, before, copies.walk)
    if (changes.length === 0) return { written: [], deleted: [], notes: [] }
    return await place(request, placing, { seat, changes })
  } finally {
    close()
  }
}

interface Reached {
  readonly seat: Seat
  close(): void
}

/** The place of a name among the copies; undefined when the folders on the way were not made. */
async function reach(copies: Root, parts: readonly string[]): Promise<Reached | undefined> {
  let directory: HeldDirectory = copies.held
  const close = () => {
    if (directory !== copies.held) directory.close()
  }
  for (const part of parts.slice(0, -1)) {
    try {
      const next = await drive(copies.walk.enter(directory, part), true)
      close()
      directory = next
    } catch (error) {
      close()
      if (errnoOf(error) === undefined) throw error
      return undefined
    }
  }
  return { seat: { directory, name: parts.at(-1)! }, close }
}

async function place(
  request: PlaceRequest,
  { folder, name }: Placing,
  found: { readonly seat: Seat; readonly changes: readonly OutsideChange[] },
): Promise<OutsideReport> {
  let target: Root | undefined
  const placed = new PlacedName(request, { path: name.path, seat: found.seat, before: name.before })
  try {
    target = openRoot(folder.path)
    if (target.path !== folder.path) throw new ToolError("conflict", "its folder is a link now, or behind one")
    const session = sessionAt(target, request.historyFolder)
    const changes = new PlacedChanges(session, placed)
    // All of them are looked at before the first one is touched.
    for (const change of found.changes) await changes.check(change)
    for (const change of found.changes) await changes.apply(change)
    return placed
  } catch (error) {
    const reason = fileError(error, "write", name.path).message.replace(/^Cannot write "[^"]*": /, "")
    const aside = await putAside(request, { name, reason, from: found.seat })
    const { written, deleted, notes } = placed
    return { written, deleted, notes: [...notes, aside] }
  } finally {
    target?.close()
  }
}

function sessionAt(root: Root, historyFolder: string): FileSession {
  return createFileSession({ directory: root.path, roots: createRootSet(() => [root]), historyFolder })
}

interface Aside {
  readonly name: StagedName
  readonly reason: string
  readonly from: Seat
}

/** Nothing is overwritten, and nothing is lost either. */
async function putAside({ scratchFolder, owner }: PlaceRequest, { name, reason, from }: Aside): Promise<string> {
  const words = `"${name.path}" was not written: ${reason}`
  const folder = join(scratchFolder, `not-written-${randomBytes(4).toString("hex")}`)
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const kept = openRoot(folder)
  try {
    const to = { directory: kept.held, name: basename(name.path) }
    const options = { walk: kept.walk, action: "keep", path: name.path, limits: treeLimits, copyTo: to }
    await readTree(from, { ...options, ...(owner && { owner }) })
    return `${words}; the new content is at "${join(folder, to.name)}"`
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return words
    return `${words}; the new content could not be kept: ${fileError(error, "keep", name.path).message}`
  } finally {
    kept.close()
  }
}

/** What a command made beside its names: in the home directory it is the session's own, elsewhere it is not kept. */
function leftOver({ path, copy, names, stubs, rest }: StagedFolder): readonly string[] {
  const own = new Set(names.map(({ first }) => first))
  const others = readdirSync(copy).filter((name) => !own.has(name) && !stubs.has(name))
  if (rest !== undefined) {
    for (const name of others) if (!existsSync(join(rest, name))) renameSync(join(copy, name), join(rest, name))
    return []
  }
  if (others.length === 0) return []
  const approved = listed(names.map((name) => name.path))
  return [`Not written, because only ${approved} may be: ${listed(others.map((name) => join(path, name)))}`]
}
