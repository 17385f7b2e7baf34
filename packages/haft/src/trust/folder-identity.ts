import { realpathSync, statSync } from "node:fs"
import { ToolError } from "@haft/contract"

/** What makes a folder that folder: a fresh one at the same path is another. */
export interface FolderIdentity {
  /** Links followed. */
  readonly path: string
  readonly device: string
  readonly inode: string
}

/** The identity of an existing folder. */
export function folderIdentity(path: string): FolderIdentity {
  try {
    const real = realpathSync(path)
    const stats = statSync(real, { bigint: true })
    if (!stats.isDirectory()) throw new ToolError("invalid_args", `Cannot use "${path}" as a folder: it is a file`)
    return { path: real, device: String(stats.dev), inode: String(stats.ino) }
  } catch (error) {
    if (ToolError.is(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    const reason = code === "ENOENT" ? "it does not exist" : `it cannot be read (${code})`
    throw new ToolError("invalid_args", `Cannot use "${path}" as a folder: ${reason}`)
  }
}
