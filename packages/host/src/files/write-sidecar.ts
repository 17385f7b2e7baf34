import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { errnoOf, fileError } from "./system/errno.js"

/** Writes the whole output of a call into the folder and returns the path; a second output of a call gets its own. */
export async function writeSidecar(folder: string, callId: string, text: string): Promise<string> {
  // An id comes from a caller: it must not be able to name another place.
  const name = callId.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 80) || "call"
  for (let attempt = 1; ; attempt++) {
    const path = join(folder, attempt === 1 ? `${name}.txt` : `${name}-${attempt}.txt`)
    try {
      await writeFile(path, text, { flag: "wx", mode: 0o600 })
      return path
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw fileError(error, "keep the output of", callId)
    }
  }
}
