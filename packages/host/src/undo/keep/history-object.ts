import { randomBytes } from "node:crypto"
import { mkdir, readFile, rename, stat, unlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { bestEffort, ignoreMissing, ToolError } from "@haft/contract"
import { contentHash } from "../../files/system/content-hash.js"
import { isMissing } from "../../files/system/errno.js"

/** Former content above this size is not kept. */
export const maxObjectBytes = 64 * 1024 * 1024

/** Two hexadecimal digits of a hash: the folders that objects are in. */
export const shardPattern = /^[0-9a-f]{2}$/

/** Where the history keeps content with this hash. */
export function objectPath(historyFolder: string, hash: string): string {
  return join(historyFolder, hash.slice(0, 2), hash.slice(2))
}

/** Content that the history kept, proven by its hash; undefined when it is gone or was changed. */
export async function readKept(historyFolder: string, hash: string): Promise<Buffer | undefined> {
  try {
    const bytes = await readFile(objectPath(historyFolder, hash))
    return contentHash(bytes) === hash ? bytes : undefined
  } catch (error) {
    if (isMissing(error)) return undefined
    throw new ToolError("backend", `Cannot read the file history "${historyFolder}": ${String(error)}`, {
      cause: error,
    })
  }
}

/** Puts content into the file history; true, or the reason why it could not be kept. */
export async function storeObject(historyFolder: string, hash: string, bytes: Buffer): Promise<true | string> {
  const object = objectPath(historyFolder, hash)
  try {
    const known = await ignoreMissing(stat(object))
    if (known?.isFile() && known.size === bytes.length) return true
    await mkdir(dirname(object), { recursive: true, mode: 0o700 })
    const temp = `${object}.${randomBytes(6).toString("hex")}`
    try {
      await writeFile(temp, bytes, { flag: "wx", mode: 0o600 })
      await rename(temp, object)
    } catch (error) {
      await bestEffort("the error that is thrown says why", unlink(temp))
      throw error
    }
    return true
  } catch (error) {
    return `the history folder cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`
  }
}
