import type { Stats } from "node:fs"
import type { Located } from "@haft/contract"
import { absolutePath, type FileSession } from "../file-session.js"
import { fileError } from "../system/errno.js"
import { lstat } from "../system/file-call.js"
import { drive, type Program } from "../system/program.js"
import { withinTurnBudget } from "../system/turn-budget.js"
import { resolveLinks, resolvePlaces } from "../walk/resolve-links.js"
import type { Target } from "../walk/walk.js"

/** Where a path leads, inside the roots or not; looks at the path and opens nothing. */
export async function locate(session: FileSession, path: string): Promise<Located> {
  const absolute = absolutePath(session, path, "find")
  const target = session.roots.target(absolute, { action: "find", shown: path })
  try {
    if (session.temporary?.holds(absolute))
      return { spelled: path, absolute, ...(await lookInPlaces(session, absolute)) }
    // A path outside all roots may lie on a slow file system.
    const remote = target?.root.remote ?? true
    const { resolved, kind } = await withinTurnBudget(
      () =>
        (target && !remote && lookNow(session, target, { spelled: path, absolute })) ||
        drive(lookBy(resolveLinks(absolute)), remote),
    )
    // A link that leads to /tmp leads to the session's.
    if (resolved !== absolute && session.temporary?.holds(resolved)) {
      return { spelled: path, absolute, ...(await lookInPlaces(session, absolute)) }
    }
    return { spelled: path, absolute, resolved, kind }
  } catch (error) {
    throw fileError(error, "find", path)
  }
}

type Seen = Pick<Located, "resolved" | "named" | "kind">

function lookNow(
  session: FileSession,
  target: Target,
  { spelled, absolute }: Pick<Located, "spelled" | "absolute">,
): Seen | undefined {
  const { quick } = target.root.walk
  const held = quick?.hold(target)
  if (held === undefined) return undefined
  if (held !== "elsewhere" && held.path === absolute) {
    session.looked.keep(spelled, held, target)
    return { resolved: held.path, kind: kindFrom(held.facts) }
  }
  if (held !== "elsewhere") held.close()
  const seen = quick?.look(absolute)
  return seen && { resolved: seen.resolved, kind: kindFrom(seen.facts) }
}

async function lookInPlaces({ temporary }: FileSession, absolute: string): Promise<Seen> {
  const seen = await drive(lookBy(resolvePlaces(absolute, temporary!.placeOf)), false)
  const named = temporary!.nameOf(seen.resolved)
  return named === undefined ? seen : { ...seen, named }
}

function* lookBy(resolving: Program<string>): Program<Seen> {
  const resolved = yield* resolving
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
