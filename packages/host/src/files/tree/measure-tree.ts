import { chmodSync, closeSync, constants, type Dir, fstatSync, lstatSync, opendirSync, openSync } from "node:fs"
import { setImmediate as nextTurn } from "node:timers/promises"
import { bestEffort } from "@haft/contract"
import { O_PATH } from "../walk/linux/hold.js"

// Looking at the clock for every file would cost as much as looking at the file.
const filesBetweenLooks = 64
const sliceMs = 4
// An empty file takes room, too: without this a folder could hold any number of them.
const entryBytes = 1024
// The kernel takes no path of 4,096 bytes; nothing but an attack nests folders so deep.
const maxPathBytes = 4000

/**
 * Bytes on the disk below some folders; stops when there are more than enough. Links are not followed, and a file with
 * several names counts once. Infinite where folders are nested so deep that nothing can be named in them. Lets others have
 * their turn meanwhile.
 */
export async function measureTrees(trees: readonly string[], enough: number): Promise<number> {
  let bytes = 0
  let files = 0
  let sliceEnd = performance.now() + sliceMs
  const linked = new Set<number>()
  const folders = [...trees]
  for (let folder = folders.pop(); folder !== undefined && bytes <= enough; folder = folders.pop()) {
    if (Buffer.byteLength(folder) > maxPathBytes) return Number.POSITIVE_INFINITY
    for (const name of namesIn(folder)) {
      const path = `${folder}/${name}`
      const facts = bestEffort(goneOrForeign, () => lstatSync(path, { throwIfNoEntry: false }))
      if (facts?.isDirectory()) folders.push(path)
      const isCounted = facts !== undefined && !facts.isDirectory() && facts.nlink > 1 && linked.has(facts.ino)
      if (facts && !facts.isDirectory() && facts.nlink > 1) linked.add(facts.ino)
      bytes += isCounted ? entryBytes : Math.max(entryBytes, (facts?.blocks ?? 0) * 512)
      if (bytes > enough) break
      files += 1
      if (files % filesBetweenLooks > 0 || performance.now() < sliceEnd) continue
      await nextTurn()
      sliceEnd = performance.now() + sliceMs
    }
  }
  return bytes
}

/** Never all at once: a folder may have millions. */
function* namesIn(folder: string): Iterable<string> {
  const directory =
    bestEffort(goneOrForeign, () => opendirSync(folder, { bufferSize: 256 })) ??
    bestEffort(goneOrForeign, () => openClosed(folder))
  if (!directory) return
  try {
    for (let entry = directory.readSync(); entry; entry = directory.readSync()) yield entry.name
  } finally {
    directory.closeSync()
  }
}

/** A command may have closed a folder of its own: it is opened for a look, never by way of a link. */
function openClosed(folder: string): Dir | undefined {
  const descriptor = openSync(folder, O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY)
  try {
    const self = `/proc/self/fd/${descriptor}`
    const { uid, mode } = fstatSync(descriptor)
    if (uid !== process.getuid?.()) return undefined
    chmodSync(self, (mode & 0o7777) | 0o500)
    return opendirSync(self)
  } finally {
    closeSync(descriptor)
  }
}

const goneOrForeign = "gone meanwhile, or of another user"
