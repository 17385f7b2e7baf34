import { isUtf8 } from "node:buffer"
import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs"
import { sep } from "node:path"
import { errnoOf } from "../../files/system/errno.js"
import { createTurns } from "../../workspace-index/create-turns.js"
import type { ObserveLimits } from "./observe-limits.js"

/** What identifies the content of a file without reading it. */
export interface Entry {
  readonly kind: "file" | "directory" | "link" | "other"
  /** Part of a folder that is only looked at from outside: git's records, installed packages. */
  readonly within: "git" | "packages" | undefined
  readonly ino: number
  readonly size: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly mode: number
  /** The text of a link. */
  readonly text?: string
  /** A folder that this user may not look into: what is in it is not known. */
  readonly closed?: true
  /** Its path, where its name, or that of a folder above it, is no text: it can be named by nobody here. */
  readonly bytes?: Buffer
}

/** A workspace as it was at one time, by absolute path. What is listed may be only a part: what can have changed. */
export interface Snapshot {
  get(path: string): Entry | undefined
  has(path: string): boolean
  [Symbol.iterator](): Iterator<readonly [string, Entry]>
}

// Looking at the clock for every file would cost as much as looking at the file.
const filesBetweenLooks = 64

/** Looks at every file below the roots without opening any. Links are not followed. */
export async function scanWorkspace(
  roots: readonly string[],
  limits: ObserveLimits,
): Promise<Map<string, Entry> | undefined> {
  const turns = createTurns()
  const entries = new Map<string, Entry>()
  const folders: Folder[] = roots.map((path) => ({ path, within: undefined }))
  for (const path of roots) {
    const root = entryAt({ path, within: undefined })
    // Somebody put a link in its place: what that points to is not the workspace.
    if (root && root !== "closed" && root.kind !== "directory") return undefined
    if (root && root !== "closed") entries.set(path, root)
  }
  let count = 0
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const names = namesIn(folder)
    if (names === "closed") markClosed(entries, folder.path)
    else
      for (const name of names) {
        const place = placeIn(folder, name)
        const entry = entryAt(place)
        if (!entry) continue
        if (entry === "closed") {
          markClosed(entries, folder.path)
          break
        }
        entries.set(place.path, entry)
        if (entry.kind === "directory") {
          const below = enter(place, name, folder)
          if (below) folders.push(below)
        }
        count += 1
        if (count % filesBetweenLooks > 0) continue
        if (count > limits.entries || turns.isOver(limits.scanMs)) return undefined
        await turns.breathe()
      }
  }
  return count > limits.entries ? undefined : entries
}

/** What tells one content of a file from another without reading it. */
export type Identity = Pick<Stats, "ino" | "size" | "mtimeMs" | "ctimeMs">

/** Whether two looks saw the same file with the same content, as far as that can be known without reading it. */
export function sameContent(one: Identity, other: Identity): boolean {
  return (
    one.ino === other.ino && one.size === other.size && one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs
  )
}

interface Folder {
  readonly path: string
  readonly within: Entry["within"]
  /** Where it really is, when its path is only how that can be shown. */
  readonly bytes?: Buffer
}

/** The folder as it is to be looked at; undefined for one whose content is not looked at. */
function enter(place: Folder, name: string | Buffer, above: Folder): Folder | undefined {
  if (above.within === "packages") return undefined
  // Git only adds to its objects; what changed is seen in its other files.
  if (above.within === "git") return name === "objects" ? undefined : { ...place, within: "git" }
  if (name === ".git") return { ...place, within: "git" }
  return { ...place, within: name === "node_modules" ? "packages" : undefined }
}

function placeIn({ path, within, bytes }: Folder, name: string | Buffer): Folder {
  if (typeof name === "string") return { path: `${path}${sep}${name}`, within }
  const above = bytes ?? Buffer.from(path)
  return { path: `${path}${sep}${shownName(name)}`, within, bytes: Buffer.concat([above, Buffer.from(sep), name]) }
}

/** How an entry is now. Closed in a folder whose names may be listed and nothing else. */
export function entryAt({ path, within, bytes }: Folder): Entry | "closed" | undefined {
  try {
    const facts = lstatSync(bytes ?? path, { throwIfNoEntry: false })
    if (!facts) return undefined
    const { ino, size, mtimeMs, ctimeMs, mode } = facts
    const entry = { kind: kindOf(facts), within, ino, size, mtimeMs, ctimeMs, mode: mode & 0o7777 }
    if (bytes) return { ...entry, bytes }
    return entry.kind === "link" ? { ...entry, text: readlinkSync(path) } : entry
  } catch (error) {
    return errnoOf(error) === "EACCES" ? "closed" : undefined
  }
}

function kindOf(facts: Stats): Entry["kind"] {
  if (facts.isFile()) return "file"
  if (facts.isDirectory()) return "directory"
  return facts.isSymbolicLink() ? "link" : "other"
}

/** The names in a folder; as bytes where one of them, or a folder above, is no text. */
function namesIn({ path, bytes }: Folder): readonly (string | Buffer)[] | "closed" {
  try {
    if (bytes) return readdirSync(bytes, { encoding: "buffer" })
    const names = readdirSync(path)
    if (!names.some((name) => name.includes(notText))) return names
    return readdirSync(path, { encoding: "buffer" }).map((name) => (isUtf8(name) ? name.toString() : name))
  } catch (error) {
    // Otherwise it is gone meanwhile.
    return errnoOf(error) === "EACCES" ? "closed" : []
  }
}

/** The character that replaces bytes which are no text. */
const notText = "\ufffd"

/** With a backslash and two digits for every byte that is not plain, so that no two names are shown alike. */
export function shownName(name: Buffer): string {
  return name
    .toString("latin1")
    .replaceAll(/[^ -~]|\\/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`)
}

function markClosed(entries: Map<string, Entry>, path: string): void {
  const entry = entries.get(path)
  if (entry) entries.set(path, { ...entry, closed: true })
}
