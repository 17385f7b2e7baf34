import { randomBytes } from "node:crypto"
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname } from "node:path"
import { ToolError } from "@haft/contract"

/** Replaces a file of the user at once and whole; only the user may read it. Its folder is made where it is missing. */
export function writePrivateFile(path: string, text: string): void {
  replace(path, text, () => 0o600)
}

/** Replaces a file that others may read, such as one that a project shares; an existing file keeps its mode. */
export function writeSharedFile(path: string, text: string): void {
  replace(path, text, (target) => (statSync(target, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777)
}

function replace(path: string, text: string, modeOf: (target: string) => number): void {
  const target = throughLinks(path)
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`
  try {
    makePrivateFolder(dirname(target))
    const descriptor = openSync(temporary, "wx", 0o600)
    try {
      // Not writeSync, which may write a part and say nothing when the disk is full.
      writeFileSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    chmodSync(temporary, modeOf(target))
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    const { code } = error as NodeJS.ErrnoException
    throw new ToolError("backend", `Cannot write "${path}": ${code ?? String(error)}`, { cause: error })
  }
}

/** A link is written through, so that people may keep their configuration elsewhere. */
function throughLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Makes a folder that only the user may enter, whatever the umask says. */
function makePrivateFolder(path: string): void {
  const made = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (made !== undefined) chmodSync(path, 0o700)
}
