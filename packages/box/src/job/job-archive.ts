import { guestUser } from "../guest/agent-script.js"
import { fileLimits, filesRefused, type GuestFile, parentsOf } from "./check-files.js"

/** Where the guest finds the command; the name that its script runs. */
const commandPath = "run/box/command"
/** Where the guest finds the variables of a command that may reach hosts, each ended by NUL. */
const environmentPath = "run/box/environment"

/** A disk of fixed size: a snapshot knows the size of its disks, so every run needs the same. */
export const jobDiskBytes = fileLimits.totalBytes + 8 * 1024 * 1024

/** What the guest unpacks over its root. */
export interface JobParts {
  readonly command: string
  readonly files: readonly GuestFile[]
  /** Variables that lead programs to the hosts that were granted; absent where none were. */
  readonly network?: Readonly<Record<string, string>> | undefined
}

/** Archive of the files with their folders, the command as a file, and the variables of its network. */
export function jobArchive({ command, files, network }: JobParts, nowMs = Date.now()): Uint8Array {
  const mtime = Math.floor(nowMs / 1000)
  const encode = (words: string) => new TextEncoder().encode(words)
  const folders = new Set(files.flatMap(({ path }) => parentsOf(path)).filter((path) => !isSystemFolder(path)))
  const entries: readonly TarEntry[] = [
    { path: "run/box", kind: "folder", mode: 0o755, owner: 0 },
    { path: commandPath, kind: "file", mode: 0o644, owner: 0, content: encode(command) },
    ...(network === undefined
      ? []
      : [
          {
            path: environmentPath,
            kind: "file" as const,
            mode: 0o600,
            owner: 0,
            content: encode(variableText(network)),
          },
        ]),
    ...[...folders].sort().map((path) => ({ path, kind: "folder" as const, mode: 0o755, owner: guestUser })),
    ...files.map(({ path, content }) => ({
      path,
      kind: "file" as const,
      mode: modeOf(content),
      owner: guestUser,
      content,
    })),
  ]
  if (sizeOf(entries) > jobDiskBytes) throw filesRefused("files", "with their folders they do not fit on the disk")
  return buildTar(entries.map((entry) => ({ ...entry, mtime })))
}

function variableText(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\0`)
    .join("")
}

// A header, a long name with a header of its own, and what fills the last block.
const mostBytesOfEntry = 512 + 512 + 1536 + 512

/** The most that the archive can take; known before it is made. */
function sizeOf(entries: readonly TarEntry[]): number {
  return entries.reduce((sum, { content }) => sum + mostBytesOfEntry + (content?.length ?? 0), 1024)
}

// Folders of the system keep their owner: an entry would hand them to the command's user.
const topFolders = new Set(["home", "media", "mnt", "opt", "run", "srv", "tmp", "work"])
const systemTrees = /^(bin|boot|etc|lib|lib32|lib64|libx32|root|sbin|usr|var)(\/|$)/

function isSystemFolder(path: string): boolean {
  return topFolders.has(path) || systemTrees.test(path)
}

/** A text that begins like a script may be started like one. */
function modeOf(content: Uint8Array): number {
  return content[0] === 0x23 && content[1] === 0x21 ? 0o755 : 0o644
}

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

/** A name that does not fit is written as content before the entry that it belongs to. */
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
