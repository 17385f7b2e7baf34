import { constants } from "node:fs"
import { open } from "node:fs/promises"

// A pipe in place of the file must not hold the call up.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** The text of a small regular file; undefined when there is none. */
export async function readPlain(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    const file = await open(path, flags)
    try {
      const facts = await file.stat()
      return facts.isFile() && facts.size <= maxBytes ? await file.readFile("utf8") : undefined
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}
