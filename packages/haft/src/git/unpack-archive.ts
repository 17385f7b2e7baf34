import { createReadStream } from "node:fs"
import { link, mkdir, open, symlink } from "node:fs/promises"
import { dirname, join, posix } from "node:path"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import { ToolError } from "@haft/contract"
import { type TarEntry, tarEntries } from "./tar-entries.js"
import { zipEntries } from "./zip-entries.js"

// Ten times what any build of git has.
const maxBytes = 4 * 1024 * 1024 * 1024
const maxEntries = 100_000

/** Unpacks a .tar.gz or a .zip into a new folder. Nothing is written outside of it, whatever the names and links in it say. */
export async function unpackArchive(file: string, folder: string): Promise<void> {
  await mkdir(folder)
  const links: TarEntry[] = []
  let bytes = 0
  let entries = 0
  try {
    for await (const entry of await entriesOf(file)) {
      bytes += entry.size
      entries += 1
      if (bytes > maxBytes || entries > maxEntries) throw new Error("it is too large")
      const path = join(folder, insideName(entry.name))
      if (entry.kind === "directory") await mkdir(path, { recursive: true })
      else if (entry.kind === "file") await writeEntry(entry, path)
      else if (entry.kind === "other") throw new Error(`"${entry.name}" is a device`)
      else links.push(entry)
    }
    // Last, so that nothing was written through a link.
    const names = new Set(links.map(({ name }) => insideName(name)))
    for (const entry of links) await makeLink(entry, folder, names)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ToolError("backend", `Cannot unpack the archive: ${reason}; take another build`, { cause: error })
  }
}

/** By its first bytes: the name is the server's. */
async function entriesOf(file: string): Promise<AsyncIterable<TarEntry>> {
  const handle = await open(file, "r")
  const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0).finally(() => handle.close())
  if (buffer.toString("latin1") === "PK\x03\x04") return zipEntries(file)
  // The loop ends with the error of whichever of the two fails.
  return tarEntries(pipeline(createReadStream(file), createGunzip(), () => undefined))
}

async function writeEntry(entry: TarEntry, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  // Nobody but the owner writes, and no bit makes it run as somebody else.
  const handle = await open(path, "wx", entry.mode & 0o755)
  try {
    for await (const piece of entry.content) await handle.writeFile(piece)
  } finally {
    await handle.close()
  }
}

async function makeLink(entry: TarEntry, folder: string, links: ReadonlySet<string>): Promise<void> {
  const name = insideName(entry.name)
  const linked = entry.kind === "link"
  const target = linked ? entry.target : insideName(entry.target)
  const end = linked ? insideName(posix.join(posix.dirname(name), target)) : target
  // Links through other links could add up to a way out, which a look at each of them does not show.
  const winding = linked && posix.normalize(target) !== target
  if (
    target.startsWith("/") ||
    winding ||
    isThrough(name, links) ||
    (!linked && (links.has(end) || isThrough(end, links)))
  ) {
    throw new Error(`"${entry.name}" links to "${entry.target}"`)
  }
  await mkdir(dirname(join(folder, name)), { recursive: true })
  if (linked) await symlink(target, join(folder, name))
  else await link(join(folder, target), join(folder, name))
}

function isThrough(name: string, links: ReadonlySet<string>): boolean {
  const parts = name.split("/")
  return parts.some((_, index) => index > 0 && links.has(parts.slice(0, index).join("/")))
}

/** The name with its dots removed; one that leads out of the folder is refused. */
function insideName(name: string): string {
  const normal = posix.normalize(name).replace(/\/+$/, "")
  if (normal.startsWith("/") || /^\.\.(\/|$)/.test(normal) || /[\0\\]/.test(name)) {
    throw new Error(`"${name.replaceAll("\0", "\\0")}" leads out of it`)
  }
  return normal
}
