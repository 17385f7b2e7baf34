import { constants, type Stats } from "node:fs"
import { errnoOf } from "../system/errno.js"
import { close, link, lstat, open, rename, unlink } from "../system/file-call.js"
import type { Program } from "../system/program.js"

/**
 * Gives a file another name on its file system where nothing has that name; EEXIST when something has it, also when it
 * came to be in the last instant. Node.js cannot ask for a rename that replaces nothing, but a second name for a file
 * is never made over an existing one.
 */
export function* giveNewName(from: string, to: string, facts: Stats): Program<void> {
  try {
    yield* link(from, to)
  } catch (error) {
    if (!withoutLinks.has(errnoOf(error) ?? "")) throw error
    return yield* renameOverOwnFile(from, to)
  }
  try {
    const linked = yield* lstat(to)
    const now = yield* lstat(from)
    if (!isSame(linked, facts) || !isSame(now, facts)) throw notTheSame(from)
    yield* unlink(from)
  } catch (error) {
    yield* unlink(to)
    throw error
  }
}

// File systems without second names, files that have too many, and files of other users that the kernel protects.
const withoutLinks = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK"])

/** An empty file of our own holds the name until the rename replaces it. */
function* renameOverOwnFile(from: string, to: string): Program<void> {
  yield* close(yield* open(to, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600))
  const own = yield* lstat(to)
  try {
    yield* rename(from, to)
  } catch (error) {
    if (own && isSame(yield* lstat(to), own)) yield* unlink(to)
    throw error
  }
}

function isSame(now: Stats | undefined, then: Stats): boolean {
  return now?.ino === then.ino && now.dev === then.dev
}

/** Reads like the system's own answer for a thing that is being used by somebody else. */
function notTheSame(path: string): Error {
  return Object.assign(new Error(`EBUSY: it was replaced meanwhile, link '${path}'`), {
    code: "EBUSY",
    syscall: "link",
  })
}
