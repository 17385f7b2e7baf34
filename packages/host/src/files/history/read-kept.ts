import { readFile } from "node:fs/promises"
import { ToolError } from "@haft/contract"
import { contentHash } from "../system/content-hash.js"
import { isMissing } from "../system/errno.js"
import { objectPath } from "./history-object.js"

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
