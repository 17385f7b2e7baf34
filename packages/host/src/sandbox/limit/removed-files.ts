import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs"
import { bestEffort, isInside } from "@haft/contract"
import { processTable } from "../../run/process/table/index.js"

/** Where removed files are looked for. */
export interface RemovedFilesPlace {
  readonly folders: readonly string[]
  /** Where commands see the folders: files that were removed while a process has them open are known by these paths. */
  readonly shownAs: readonly string[]
  /** Paths among those that are not theirs: a workspace below /tmp. */
  readonly except: readonly string[]
}

/** A process that may hold removed files open. */
export interface FileHolder {
  readonly pid: number
  readonly writesElsewhere: boolean
}

/** Bytes of removed files that are still open; infinite where a process that writes nowhere else cannot be looked into. */
export async function removedBytes(place: RemovedFilesPlace, holders: Iterable<FileHolder>): Promise<number> {
  const device = attempt(() => lstatSync(place.folders[0]!))?.dev
  const sizes = new Map<number, number>()
  for (const { pid, writesElsewhere } of holders) {
    for (const process of await processTable.descendants(pid)) {
      const isSeen = addRemoved(process.pid, { place, device, sizes })
      if (!isSeen && !writesElsewhere && processTable.isAlive(process)) return Number.POSITIVE_INFINITY
    }
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0)
}

interface Search {
  readonly place: RemovedFilesPlace
  readonly device: number | undefined
  /** By inode. */
  readonly sizes: Map<number, number>
}

/** False when the process does not let itself be looked into. */
function addRemoved(pid: number, { place: { shownAs, except }, device, sizes }: Search): boolean {
  const isOwn = (path: string) =>
    shownAs.some((folder) => isInside(path, folder)) && !except.some((folder) => isInside(path, folder))
  const names = attempt(() => readdirSync(`/proc/${pid}/fd`))
  for (const name of names ?? []) {
    const path = `/proc/${pid}/fd/${name}`
    const facts = attempt(() => statSync(path))
    if (!facts?.isFile() || facts.nlink > 0 || facts.dev !== device) continue
    if (isOwn(attempt(() => readlinkSync(path)) ?? "")) sizes.set(facts.ino, facts.blocks * 512)
  }
  for (const { inode, bytes, path } of removedMappings(pid)) {
    if (isOwn(path)) sizes.set(inode, Math.max(sizes.get(inode) ?? 0, bytes))
  }
  return names !== undefined
}

/** Files without a name that a process has in its memory, as large as they are there. */
function removedMappings(pid: number): readonly { inode: number; bytes: number; path: string }[] {
  const found = new Map<number, { inode: number; bytes: number; path: string }>()
  for (const line of (attempt(() => readFileSync(`/proc/${pid}/maps`, "utf8")) ?? "").split("\n")) {
    const [, from, to, inode, path] = /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ (\d+) +(\/.*) \(deleted\)$/.exec(line) ?? []
    if (path === undefined) continue
    const bytes = Number.parseInt(to!, 16) - Number.parseInt(from!, 16)
    const before = found.get(Number(inode))?.bytes ?? 0
    found.set(Number(inode), { inode: Number(inode), bytes: before + bytes, path })
  }
  return [...found.values()]
}

function attempt<Result>(look: () => Result): Result | undefined {
  return bestEffort("the process has ended, or is another user's", look)
}
