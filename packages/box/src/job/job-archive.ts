import { guestUser } from "../guest/agent-script.js"
import { buildTar, type TarEntry } from "./build-tar.js"
import { fileLimits, filesRefused, type GuestFile, parentsOf } from "./check-files.js"

/** Where the guest finds the command; the name that its script runs. */
const commandPath = "run/box/command"

/** A disk of fixed size: a snapshot knows the size of its disks, so every run needs the same. */
export const jobDiskBytes = fileLimits.totalBytes + 8 * 1024 * 1024

/** What the guest unpacks over its root: the files with their folders, and the command as a file. */
export function jobArchive(command: string, files: readonly GuestFile[], nowMs = Date.now()): Uint8Array {
  const mtime = Math.floor(nowMs / 1000)
  const folders = new Set(files.flatMap(({ path }) => parentsOf(path)).filter((path) => !isSystemFolder(path)))
  const entries: readonly TarEntry[] = [
    { path: "run/box", kind: "folder", mode: 0o755, owner: 0 },
    { path: commandPath, kind: "file", mode: 0o644, owner: 0, content: new TextEncoder().encode(command) },
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
