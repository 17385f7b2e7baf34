import { createHash } from "node:crypto"
import { read as readCallback } from "node:fs"
import { promisify } from "node:util"
import { smallBytes } from "./program.js"

/** SHA-256 of the bytes, hex. */
export function contentHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}

/** The same; large content is hashed on the thread pool. */
export function contentHashAside(bytes: Uint8Array): string | Promise<string> {
  if (bytes.length <= smallBytes) return contentHash(bytes)
  return crypto.subtle
    .digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)
    .then((digest) => Buffer.from(digest).toString("hex"))
}

const read = promisify(readCallback)
const pieceBytes = 1024 * 1024

/** SHA-256 of an open file of any size; `beforeEach` may throw to end it. */
export async function hashInPieces(descriptor: number, beforeEach: () => void = () => undefined): Promise<string> {
  const hash = createHash("sha256")
  const buffer = Buffer.allocUnsafeSlow(pieceBytes)
  for (let offset = 0; ; ) {
    beforeEach()
    const { bytesRead } = await read(descriptor, buffer, 0, pieceBytes, offset)
    if (bytesRead === 0) return hash.digest("hex")
    hash.update(buffer.subarray(0, bytesRead))
    offset += bytesRead
  }
}
