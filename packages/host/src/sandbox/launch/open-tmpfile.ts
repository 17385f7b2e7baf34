import { randomBytes } from "node:crypto"
import { closeSync, constants, openSync, unlinkSync, writeSync } from "node:fs"
import { join } from "node:path"

// O_TMPFILE of Linux without O_DIRECTORY, whose number differs between architectures; Node does not name it.
const temporaryFile = 0o20000000

/** Opens a file that has no name, so that nothing of it can be left; it is read from its beginning. */
export function openNamelessFile(folder: string, text = ""): number {
  const descriptor = tryOpenNameless(folder) ?? openAndUnlink(folder)
  try {
    // At a position, because the place where the next reader begins must not move.
    if (text !== "") writeSync(descriptor, text, 0)
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

function tryOpenNameless(folder: string): number | undefined {
  try {
    return openSync(folder, temporaryFile | constants.O_DIRECTORY | constants.O_RDWR, 0o600)
  } catch {
    // Some file systems have no such files.
    return undefined
  }
}

function openAndUnlink(folder: string): number {
  const path = join(folder, `open-${randomBytes(6).toString("hex")}`)
  const descriptor = openSync(path, "wx+", 0o600)
  unlinkSync(path)
  return descriptor
}
