import { lstat } from "node:fs/promises"
import { maxShownBytes, ToolError } from "@haft/contract"
import { absolutePath, aim, type FileSession, perform } from "../file-session.js"
import { identityText } from "../ledger.js"
import { hashInPieces } from "../system/content-hash.js"
import { errnoOf, isMissing } from "../system/errno.js"
import { closeQuietly } from "../system/file-call.js"
import type { Target } from "../walk/walk.js"
import { assertRegular } from "./assert-regular.js"

/**
 * SHA-256 of a file as it is now; null when it is missing. Of a file that is too large for a person to wait for it, and of
 * one outside the roots, whose content nobody is shown, the identity: it changes with the content, and nothing is read.
 */
export async function contentHashOf(session: FileSession, path: string): Promise<string | null> {
  const absolute = absolutePath(session, path, "read")
  if (!session.roots.target(absolute, { action: "read", shown: path })) return identityAt(absolute)
  const target = await aim(session, path, "read")
  const found = await pinnedContent(target, session).catch((error) => {
    // Below a file there is nothing either: `cp a b` may mean `b/a`.
    if (ToolError.is(error) && error.code === "not_found") return undefined
    throw error
  })
  if (found === undefined) return null
  if (typeof found === "string") return found
  try {
    return await hashInPieces(found)
  } finally {
    closeQuietly(found)
  }
}

async function pinnedContent(target: Target, session: FileSession): Promise<number | string | undefined> {
  return perform(target, function* () {
    const pinned = yield* target.root.walk.pin(target, session.roots)
    if (!pinned) return undefined
    try {
      const { facts } = pinned
      assertRegular(facts, target)
      return facts.size > maxShownBytes ? identityText(facts) : yield* pinned.openForReading()
    } finally {
      pinned.close()
    }
  })
}

async function identityAt(absolute: string): Promise<string | null> {
  try {
    return identityText(await lstat(absolute))
  } catch (error) {
    // In a closed folder nothing can be seen to change, nor be changed by this user.
    return isMissing(error) ? null : (errnoOf(error) ?? null)
  }
}
