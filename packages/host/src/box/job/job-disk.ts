import { type FileHandle, open, unlink } from "node:fs/promises"
import { scratchPath } from "../scratch.js"
import { jobDiskBytes } from "./job-archive.js"

/**
 * A read-only disk with this content that has no name: it is gone with the last process that holds it, whatever
 * happens to this one.
 */
export async function openJobDisk(content: Uint8Array): Promise<FileHandle> {
  const path = scratchPath()
  const writer = await open(path, "wx", 0o600)
  try {
    const reader = await open(path, "r")
    await unlink(path)
    await writer.writeFile(content)
    await writer.truncate(jobDiskBytes)
    return reader
  } catch (error) {
    await unlink(path).catch(() => undefined)
    throw error
  } finally {
    await writer.close()
  }
}
