import { randomBytes } from "node:crypto"
import { mkdir, rename, stat, unlink, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { objectPath } from "../files/history/history-object.js"

/** Puts content into the file history; true, or the reason why it could not be kept. */
export async function storeObject(historyFolder: string, hash: string, bytes: Buffer): Promise<true | string> {
  const object = objectPath(historyFolder, hash)
  try {
    const known = await stat(object).catch(() => undefined)
    if (known?.isFile() && known.size === bytes.length) return true
    await mkdir(dirname(object), { recursive: true, mode: 0o700 })
    const temp = `${object}.${randomBytes(6).toString("hex")}`
    try {
      await writeFile(temp, bytes, { flag: "wx", mode: 0o600 })
      await rename(temp, object)
    } catch (error) {
      await unlink(temp).catch(() => undefined)
      throw error
    }
    return true
  } catch (error) {
    return `the history folder cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`
  }
}
