import { type FileHandle, open, unlink } from "node:fs/promises"
import { dirname } from "node:path"
import { boxUnfilled } from "../refusal.js"
import { takeScratchPath } from "../scratch.js"
import { jobDiskBytes } from "./job-archive.js"

/**
 * A read-only disk with this content that has no name: it is gone with the last process that holds it, whatever
 * happens to this one.
 */
export async function openJobDisk(content: Uint8Array): Promise<FileHandle> {
  const path = await takeScratchPath()
  try {
    const writer = await open(path, "wx", 0o600)
    try {
      const reader = await open(path, "r").finally(() => unlink(path))
      await fill(writer, content).catch((error: unknown) => reader.close().then(() => Promise.reject(error)))
      return reader
    } finally {
      await writer.close()
    }
  } catch (error) {
    throw boxUnfilled(error, dirname(path))
  }
}

async function fill(writer: FileHandle, content: Uint8Array): Promise<void> {
  await writer.writeFile(content)
  await writer.truncate(jobDiskBytes)
}
