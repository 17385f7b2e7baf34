import type { Stats } from "node:fs"
import type { Located } from "@haft/contract"
import { absolutePath, type FileSession } from "../file-session.js"
import { fileError } from "../system/errno.js"
import { lstat } from "../system/file-call.js"
import { drive, type Program } from "../system/program.js"
import { withinTurnBudget } from "../system/turn-budget.js"
import { resolveLinks } from "../walk/resolve-links.js"
import type { Walk } from "../walk/walk.js"

/** Where a path leads, inside the roots or not; looks at the path and opens nothing. */
export async function locate(session: FileSession, path: string): Promise<Located> {
  const absolute = absolutePath(session, path, "find")
  const root = session.roots.target(absolute, { action: "find", shown: path })?.root
  try {
    // A path outside all roots may lie on a slow file system.
    const remote = root?.remote ?? true
    const quick = remote ? undefined : root?.walk.quick
    const { resolved, kind } = await withinTurnBudget(
      () => (quick && lookNow(quick, absolute)) ?? drive(look(absolute), remote),
    )
    return { spelled: path, absolute, resolved, kind }
  } catch (error) {
    throw fileError(error, "find", path)
  }
}

function lookNow(quick: Quick, absolute: string): Pick<Located, "resolved" | "kind"> | undefined {
  const seen = quick.look(absolute)
  return seen && { resolved: seen.resolved, kind: kindFrom(seen.facts) }
}

type Quick = NonNullable<Walk["quick"]>

function* look(absolute: string): Program<Pick<Located, "resolved" | "kind">> {
  const resolved = yield* resolveLinks(absolute)
  return { resolved, kind: yield* kindOf(resolved) }
}

function* kindOf(resolved: string): Program<Located["kind"]> {
  let facts: Stats | undefined
  try {
    facts = yield* lstat(resolved)
  } catch {
    // Behind a closed folder, below a file, too long a name: opening it will say why.
    return "missing"
  }
  // A link is left only where links lead in a circle, and opening it says that, too.
  return !facts || facts.isSymbolicLink() ? "missing" : kindFrom(facts)
}

function kindFrom(facts: Stats): Located["kind"] {
  if (facts.isFile()) return "file"
  return facts.isDirectory() ? "directory" : "other"
}
