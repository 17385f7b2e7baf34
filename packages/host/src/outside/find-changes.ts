import type { Stats } from "node:fs"
import { lstat, readdir, readlink } from "node:fs/promises"
import { identityOf, sameIdentity } from "../files/ledger.js"
import { drive } from "../files/system/program.js"
import type { Walk } from "../files/walk/walk.js"
import type { Seat } from "../files/write/make-parents.js"
import type { StagedEntry } from "./copy-names.js"

/** What a command made of one entry of a copy. */
export interface OutsideChange {
  /** Below the first name. */
  readonly below: string
  readonly before: StagedEntry | undefined
  /** The copy now; undefined when it is gone. */
  readonly after: Stats | undefined
}

/** What differs from what was copied; of a folder that came or went the folder alone, with all that is in it. */
export async function findChanges(
  top: Seat,
  before: ReadonlyMap<string, StagedEntry>,
  walk: Walk,
): Promise<readonly OutsideChange[]> {
  const changes: OutsideChange[] = []
  const known = childrenOf(before.keys())
  await compare(top, "")
  return changes

  async function compare(seat: Seat, below: string): Promise<void> {
    const [then, now] = [before.get(below), await factsAt(seat)]
    if (!then && !now) return
    if (then?.kind !== "folder" || !now?.isDirectory()) {
      if (!(await isSame(then, now, seat))) changes.push({ below, before: then, after: now })
      return
    }
    if (then.copy.mode !== (now.mode & 0o7777)) changes.push({ below, before: then, after: now })
    const folder = await drive(walk.enter(seat.directory, seat.name), true)
    try {
      const names = new Set([...(known.get(below) ?? []), ...(await readdir(folder.self))])
      for (const name of [...names].sort()) await compare({ directory: folder, name }, `${below}/${name}`)
    } finally {
      folder.close()
    }
  }
}

/** The names that were in each folder. */
function childrenOf(paths: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>()
  for (const below of paths) {
    if (below === "") continue
    const parent = below.slice(0, below.lastIndexOf("/"))
    const names = children.get(parent)
    if (names) names.push(below.slice(parent.length + 1))
    else children.set(parent, [below.slice(parent.length + 1)])
  }
  return children
}

async function isSame(then: StagedEntry | undefined, now: Stats | undefined, seat: Seat): Promise<boolean> {
  if (!then || !now) return then === now
  if (then.kind === "file") {
    return now.isFile() && sameIdentity(then.copy, identityOf(now)) && then.copy.mode === (now.mode & 0o7777)
  }
  return (
    then.kind === "link" && now.isSymbolicLink() && (await readlink(seat.directory.entry(seat.name))) === then.content
  )
}

async function factsAt({ directory, name }: Seat): Promise<Stats | undefined> {
  return lstat(directory.entry(name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw error
  })
}
