import { lstat } from "node:fs/promises"
import { absolutePath, aim, type FileSession, perform } from "../file-session.js"
import { closeQuietly } from "../system/file-call.js"
import { hashInPieces } from "../system/content-hash.js"
import { errnoOf, isMissing } from "../system/errno.js"
import { identityOf } from "../system/file-identity.js"
import { assertRegular } from "./assert-regular.js"

/**
 * SHA-256 of a file of any size as it is now; null when it is missing. Of a file outside the roots, whose content nobody
 * is shown, the identity: it changes with the content, and nothing is read for it.
 */
export async function contentHashOf(session: FileSession, path: string): Promise<string | null> {
  const absolute = absolutePath(session, path, "read")
  if (!session.roots.target(absolute, { action: "read", shown: path })) return identityText(absolute)
  const target = await aim(session, path, "read")
  const descriptor = await perform(target, function* () {
    const pinned = yield* target.root.walk.pin(target, session.roots)
    if (!pinned) return undefined
    try {
      assertRegular(pinned.facts, target)
      return yield* pinned.openForReading()
    } finally {
      pinned.close()
    }
  })
  if (descriptor === undefined) return null
  try {
    return await hashInPieces(descriptor)
  } finally {
    closeQuietly(descriptor)
  }
}

async function identityText(absolute: string): Promise<string | null> {
  try {
    return JSON.stringify(identityOf(await lstat(absolute)))
  } catch (error) {
    // In a closed folder nothing can be seen to change, nor be changed by this user.
    return isMissing(error) ? null : (errnoOf(error) ?? null)
  }
}
