import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import type { ImageFile } from "./image.js"

/** Hashes a file of an image. */
export async function describeFile(path: string): Promise<ImageFile> {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
  return { sha256: hash.digest("hex"), ...(await factsOf(path)) }
}

/** Whether a file is still what its description says; it is hashed only when it is not the same file any more. */
export async function isUnchanged(path: string, described: ImageFile): Promise<boolean> {
  try {
    const { stamp, bytes } = await factsOf(path)
    if (bytes !== described.bytes) return false
    return stamp === described.stamp || (await describeFile(path)).sha256 === described.sha256
  } catch {
    return false
  }
}

/** The time of the last change of a file's state cannot be set by a program, unlike that of its content. */
async function factsOf(path: string): Promise<Pick<ImageFile, "bytes" | "stamp">> {
  const { ino, size, ctimeNs, dev } = await stat(path, { bigint: true })
  return { bytes: Number(size), stamp: `${dev}-${ino}-${ctimeNs}` }
}
