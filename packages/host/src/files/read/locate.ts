import type { Stats } from "node:fs"
import type { Located } from "@haft/contract"
import { absolutePath, type FileSession } from "../file-session.js"
import { fileError } from "../system/errno.js"
import { lstat } from "../system/file-call.js"
import { drive, type Program } from "../system/program.js"
import { withinTurnBudget } from "../system/turn-budget.js"
import { resolveLinks } from "../walk/resolve-links.js"

/** Where a path leads, inside the roots or not; looks at the path and opens nothing. */
export async function locate(session: FileSession, path: string): Promise<Located> {
  const absolute = absolutePath(session, path, "find")
  const root = session.roots.target(absolute, { action: "find", shown: path })?.root
  try {
    const { resolved, kind } = await withinTurnBudget(() => drive(look(absolute), root?.remote ?? true))
    return { spelled: path, absolute, resolved, kind }
  } catch (error) {
    throw fileError(error, "find", path)
  }
}

function* look(absolute: string): Program<Pick<Located, "resolved" | "kind">> {
  const resolved = yield* resolveLinks(absolute)
  return { resolved, kind: yield* kindOf(resolved) }
}

function* kindOf(resolved: string): Program<Located["kind"]> {
  let facts: Stats | undefined
  try {
    facts = yield* lstat(resolved)
  } catch {
    // Something that may not even be looked at: opening it will say why.
    return "other"
  }
  if (!facts) return "missing"
  if (facts.isFile()) return "file"
  return facts.isDirectory() ? "directory" : "other"
}
