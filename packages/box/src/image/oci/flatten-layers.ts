import { createReadStream, createWriteStream } from "node:fs"
import { open } from "node:fs/promises"
import type { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import { bestEffort, ToolError } from "@haft/contract"
import { type Entry, extract, type Pack, type Headers as PlainHeaders, pack } from "tar-stream"

/** With the records in front of an entry, which the published types leave out. */
type Headers = PlainHeaders & { readonly pax?: Readonly<Record<string, string>> | null }

/**
 * Writes the layers of an image, lowest first, as one archive with what is there in the end. Only bytes are copied:
 * nothing of a layer is ever laid out on this host, where its links could lead somewhere.
 */
export async function flattenLayers(layers: readonly string[], archive: string): Promise<void> {
  const kept = await keptEntries(layers)
  const flat = pack()
  const written = pipeline(flat, createWriteStream(archive, { flags: "wx", mode: 0o600 }))
  void bestEffort("reported below, after a problem with a layer", written)
  try {
    for (const [index, layer] of layers.entries()) {
      let number = 0
      for await (const { entry, path } of layerEntries(layer)) {
        if (kept[index]!.has(number)) await copyEntry(entry, path, flat)
        number += 1
      }
    }
    flat.finalize()
  } catch (error) {
    flat.destroy(error as Error)
    await bestEffort("the problem with the layer is thrown", written)
    throw error
  }
  await written
}

/** The numbers of the entries that no upper layer hides, for each layer. */
async function keptEntries(layers: readonly string[]): Promise<readonly ReadonlySet<number>[]> {
  const rules = createLayerRules()
  const kept: Set<number>[] = []
  for (const layer of layers.toReversed()) {
    const numbers = new Set<number>()
    let number = 0
    for await (const { entry, path } of layerEntries(layer)) {
      if (rules.isKept(path)) numbers.add(number)
      rules.note(path, isFolder(entry.header))
      number += 1
    }
    rules.below()
    kept.unshift(numbers)
  }
  return kept
}

interface LayerEntry {
  readonly entry: Entry
  /** From the root, without slashes at its ends; empty for the root itself. */
  readonly path: string
}

// Names and links; anything longer is an attack. tar-stream itself would hold any number of bytes in memory.
const mostHeadBytes = 1024 * 1024

/** The entries of a layer in their order. What is not read of one is passed over when the next is asked for. */
async function* layerEntries(layer: string): AsyncGenerator<LayerEntry> {
  // Forms before POSIX have no mark, but a checksum.
  const entries = extract({ allowUnknownFormat: true })
  let read = 0
  let allowed = mostHeadBytes
  entries.on("entry", (header: Headers) => {
    allowed = read + (header.size ?? 0) + mostHeadBytes
    // Without this, tar-stream waits for ever for the end of such an entry.
    const problem = headerProblem(header)
    if (problem !== undefined) entries.destroy(problem)
  })
  const feeding = pipeline(
    await layerStream(layer),
    async function* bounded(pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        read += piece.length
        if (read > allowed) throw unreadable("a header in it is too long")
        yield piece
      }
    },
    entries,
  )
  // The entries report it as well.
  void bestEffort("awaited below", feeding)
  try {
    for await (const entry of entries) {
      yield { entry, path: cleanPath(entry.header.name) }
      entry.resume()
    }
    await feeding
  } catch (error) {
    throw ToolError.is(error) ? error : unreadable((error as Error).message, error)
  } finally {
    entries.destroy()
  }
}

function headerProblem({ size, type, pax, name }: Headers): ToolError | undefined {
  if (!Number.isSafeInteger(size) || size! < 0) return unreadable("an entry has no possible size")
  const isSparse = Object.keys(pax ?? {}).some((key) => key.startsWith("GNU.sparse."))
  if (!isSparse && type) return undefined
  return new ToolError("unsupported", `Cannot use the archive: "${name.slice(0, 200)}" is of a kind that is not read`, {
    hint: "Write the archive without sparse files and other additions of GNU tar",
  })
}

function cleanPath(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".")
  if (parts.includes("..")) {
    throw new ToolError("invalid_args", `Cannot use the archive: "${path.slice(0, 200)}" leads out of it`)
  }
  return parts.join("/")
}

/** Before POSIX, a folder was a file whose name ends with a slash. */
function isFolder({ type, name }: Headers): boolean {
  return type === "directory" || (type === "file" && name.endsWith("/"))
}

// What fits into the fields of a header.
const mostOwner = 0o777777
const lastTime = 2 ** 31 - 1
// Makes tar-stream keep a mode of no rights at all, instead of taking it for one that was left out.
const plainFile = 0o100000

async function copyEntry(entry: Entry, path: string, flat: Pack): Promise<void> {
  const header: Headers = entry.header
  const type = isFolder(header) ? "directory" : header.type!
  const hasContent = type === "file" || type === "contiguous-file"
  const [uid, gid] = (["uid", "gid"] as const).map((key) => Number(header.pax?.[key] ?? header[key] ?? 0))
  const seconds = Math.min(Math.max(0, (header.mtime?.getTime() ?? 0) / 1000), lastTime)
  const flatHeader: Headers = {
    ...{ name: path === "" ? "./" : path, type, size: hasContent ? header.size! : 0 },
    ...{ mode: (header.mode ?? 0) | plainFile, uid: uid!, gid: gid!, mtime: new Date(seconds * 1000) },
    ...(header.linkname && (type === "link" || type === "symlink") && { linkname: header.linkname }),
    ...(header.devmajor && { devmajor: header.devmajor }),
    ...(header.devminor && { devminor: header.devminor }),
    ...((uid! > mostOwner || gid! > mostOwner) && { pax: { uid: String(uid), gid: String(gid) } }),
  }
  const target = flat.entry(flatHeader)
  if (hasContent) await pipeline(entry, target)
}

async function layerStream(path: string): Promise<Readable> {
  const file = await open(path, "r")
  const start = Buffer.alloc(4)
  await file.read(start, 0, 4, 0).finally(() => file.close())
  if (start.readUInt32LE() === 0xfd2fb528) {
    throw new ToolError("unsupported", `Cannot use layer "${path}": it is compressed with zstd; use gzip layers`)
  }
  const plain = createReadStream(path, { highWaterMark: 256 * 1024 })
  if (start[0] !== 0x1f || start[1] !== 0x8b) return plain
  const expanded = createGunzip()
  // The reader of the expanded stream gets it.
  plain.on("error", (error) => expanded.destroy(error))
  return plain.pipe(expanded)
}

function unreadable(reason: string, cause?: unknown): ToolError {
  return new ToolError("invalid_args", `Cannot read the archive: ${reason}`, { cause })
}

/** Decides which entries of lower layers the upper ones let through. */
interface LayerRules {
  /** Whether an entry of the present layer is still there in the end. */
  isKept(path: string): boolean
  /** Notes an entry of the present layer; holds for the layers below it. */
  note(path: string, isFolder: boolean): void
  /** Goes on with the layer below. */
  below(): void
}

const whiteout = ".wh."
const opaque = ".wh..wh..opq"

/** The rules of layered file systems, from the uppermost layer down. */
function createLayerRules(): LayerRules {
  const gone = { paths: new Set<string>(), trees: new Set<string>() }
  let noted: (() => void)[] = []
  return {
    isKept(path) {
      if (nameOf(path).startsWith(whiteout)) return false
      if (gone.paths.has(path)) return false
      return !foldersOf(path).some((folder) => gone.trees.has(folder))
    },
    note(path, isFolder) {
      const [folder, name] = [folderOf(path), nameOf(path)]
      if (name === opaque) noted.push(() => gone.trees.add(folder))
      else if (name.startsWith(whiteout)) {
        const removed = folder === "" ? name.slice(whiteout.length) : `${folder}/${name.slice(whiteout.length)}`
        noted.push(() => gone.paths.add(removed) && gone.trees.add(removed))
      } else {
        // A file in the place of a folder takes all that was in it.
        noted.push(() => gone.paths.add(path) && !isFolder && gone.trees.add(path))
      }
    },
    below() {
      for (const apply of noted) apply()
      noted = []
    },
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")))
}

/** The folders above a path, the root among them. */
function foldersOf(path: string): readonly string[] {
  const folders = [""]
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at))
  return folders
}
