import { aim, type FileSession, perform } from "../file-session.js"
import { closeQuietly } from "../system/file-call.js"
import { hashInPieces } from "../system/content-hash.js"
import { assertRegular } from "./assert-regular.js"

/** SHA-256 of a file of any size as it is now; null when it is missing. */
export async function contentHashOf(session: FileSession, path: string): Promise<string | null> {
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
