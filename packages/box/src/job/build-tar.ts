/** A file or folder of a tar archive. */
export interface TarEntry {
  /** Relative; folders without a closing slash. */
  readonly path: string
  readonly kind: "file" | "folder"
  readonly mode: number
  /** Owner and group. */
  readonly owner: number
  readonly content?: Uint8Array
  /** Seconds since 1970. */
  readonly mtime?: number
}

const blockBytes = 512
const nameBytes = 100
const text = new TextEncoder()

/** A tar archive of these entries; names of any length (GNU form). Equal entries give equal bytes. */
export function buildTar(entries: readonly TarEntry[]): Uint8Array {
  const parts = entries.flatMap(entryParts)
  // Two empty blocks end an archive.
  const archive = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 2 * blockBytes))
  let at = 0
  for (const part of parts) {
    archive.set(part, at)
    at += part.length
  }
  return archive
}

function entryParts({
  path,
  kind,
  mode,
  owner,
  mtime = 0,
  content = new Uint8Array(),
}: TarEntry): readonly Uint8Array[] {
  const name = text.encode(kind === "folder" ? `${path}/` : path)
  const long = name.length > nameBytes ? longName(name) : []
  const type = kind === "folder" ? "5" : "0"
  return [...long, header({ name, type, mode, owner, mtime, size: content.length }), ...padded(content)]
}

/** A name that does not fit stands as content before the entry that it belongs to. */
function longName(name: Uint8Array): readonly Uint8Array[] {
  const closed = new Uint8Array(name.length + 1)
  closed.set(name)
  const link = text.encode("././@LongLink")
  return [header({ name: link, type: "L", mode: 0o644, owner: 0, mtime: 0, size: closed.length }), ...padded(closed)]
}

interface Header {
  readonly name: Uint8Array
  readonly type: string
  readonly mode: number
  readonly owner: number
  readonly mtime: number
  readonly size: number
}

function header({ name, type, mode, owner, mtime, size }: Header): Uint8Array {
  const block = new Uint8Array(blockBytes)
  block.set(name.subarray(0, nameBytes))
  block.set(octal(mode, 8), 100)
  block.set(octal(owner, 8), 108)
  block.set(octal(owner, 8), 116)
  block.set(octal(size, 12), 124)
  block.set(octal(mtime, 12), 136)
  // The sum counts its own field as blanks.
  block.fill(0x20, 148, 156)
  block.set(text.encode(type), 156)
  block.set(text.encode("ustar  \0"), 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.set(text.encode(`${sum.toString(8).padStart(6, "0")}\0 `), 148)
  return block
}

function octal(value: number, width: number): Uint8Array {
  return text.encode(`${value.toString(8).padStart(width - 1, "0")}\0`)
}

function padded(content: Uint8Array): readonly Uint8Array[] {
  return [content, new Uint8Array((blockBytes - (content.length % blockBytes)) % blockBytes)]
}
