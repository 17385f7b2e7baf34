/** One file, folder or link of an initial file system. */
export interface CpioEntry {
  /** Relative, without a leading slash. */
  readonly path: string
  /** Type and permission bits. */
  readonly mode: number
  readonly content?: Uint8Array
  /** Device number of a character device. */
  readonly device?: { readonly major: number; readonly minor: number }
}

/** An archive in the "newc" format, which the kernel unpacks as its initial file system. Equal entries give equal bytes. */
export function cpioArchive(entries: readonly CpioEntry[]): Uint8Array {
  const parts = [...entries, { path: "TRAILER!!!", mode: 0 }].flatMap((entry, index) => entryParts(entry, index + 1))
  const archive = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    archive.set(part, at)
    at += part.length
  }
  return archive
}

function entryParts({ path, mode, content = new Uint8Array(), device }: CpioEntry, inode: number): Uint8Array[] {
  const name = new TextEncoder().encode(`${path}\0`)
  // magic, inode, mode, uid, gid, links, mtime, size, device of the file system (2), own device (2), name size, check
  const fields = [inode, mode, 0, 0, 1, 0, content.length, 0, 0, device?.major ?? 0, device?.minor ?? 0, name.length, 0]
  const header = new TextEncoder().encode(`070701${fields.map(hex).join("")}`)
  return [header, name, padding(header.length + name.length), content, padding(content.length)]
}

function hex(value: number): string {
  return value.toString(16).padStart(8, "0")
}

function padding(length: number): Uint8Array {
  return new Uint8Array((4 - (length % 4)) % 4)
}
