import { randomBytes } from "node:crypto"
import { constants, type Stats } from "node:fs"
import { close, closeQuietly, fchmod, fchown, open, unlink, writeFully } from "../system/file-call.js"
import { attempt, type Program } from "../system/program.js"
import type { HeldDirectory } from "../walk/walk.js"

/** Names of temporary files: they differ from all other names, so that they can be removed when their process died. */
export const tempPattern = /^\..*\.haft-[0-9a-f]{12}$/

const createFlags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0)
/** What Linux and macOS take as a name, in bytes. */
const maxNameBytes = 255

/** What the temporary file is to become. */
export interface TempContent {
  readonly name: string
  readonly bytes: Uint8Array
  /** The file that is replaced: its mode, but for set-user-id and set-group-id, and, where possible, its owner are kept. */
  readonly like: Pick<Stats, "mode" | "uid" | "gid"> | undefined
  /** A mode to set in any case. */
  readonly mode?: number | undefined
}

/**
 * Writes a temporary file beside the file it will replace and gives its name. It is not synced to the disk: a killed
 * process leaves the old or the new content, never a mixture; after a power failure that holds as far as the file
 * system orders data before the rename, which ext4, xfs, btrfs and APFS do. A sync would cost more than all the rest.
 */
export function* writeTemp(directory: HeldDirectory, content: TempContent): Program<string> {
  const temp = tempName(content.name)
  const path = directory.entry(temp)
  const { like } = content
  const descriptor = yield* open(path, createFlags, like ? 0o600 : 0o666)
  try {
    yield* writeFully(descriptor, content.bytes)
    if (like) yield* takeOwnerAndMode(descriptor, { ...like, mode: withoutSetId(like.mode) })
    if (content.mode !== undefined) yield* fchmod(descriptor, content.mode)
    yield* close(descriptor)
  } catch (error) {
    closeQuietly(descriptor)
    yield* removeTemp(directory, temp)
    throw error
  }
  return temp
}

/**
 * The mode for new content. As the kernel does on a write, the bits that let everybody run a file as its owner or group are
 * cleared: they were given for the old content.
 */
export function withoutSetId(mode: number): number {
  return mode & ~0o6000
}

/** Removes a temporary file that is not needed any more. */
export function* removeTemp(directory: HeldDirectory, temp: string): Program<void> {
  yield* attempt("gone already, or the sweep looks for it later", unlink(directory.entry(temp)))
}

/** Gives an open file the owner, where that is possible, and the permission bits of another one. */
export function* takeOwnerAndMode(
  descriptor: number,
  { mode, uid, gid }: Pick<Stats, "mode" | "uid" | "gid">,
): Program<void> {
  if (process.getuid && (process.getuid() !== uid || process.getgid?.() !== gid)) {
    // Only the superuser may give files away.
    yield* attempt("the content matters more than the owner", fchown(descriptor, uid, gid))
  }
  // After the owner: changing the owner clears the set-user-id bit.
  yield* fchmod(descriptor, mode & 0o7777)
}

/** A name for a temporary file beside another one. */
export function tempName(name: string): string {
  const suffix = `.haft-${randomBytes(6).toString("hex")}`
  let stem = name
  while (Buffer.byteLength(stem) + suffix.length + 1 > maxNameBytes) stem = stem.slice(0, -1)
  return `.${stem}${suffix}`
}
