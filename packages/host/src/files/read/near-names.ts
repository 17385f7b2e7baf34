import { lstatSync, opendirSync } from "node:fs"
import { join } from "node:path"
import { bestEffort, type CallScope, nearestNames, ToolError } from "@haft/contract"
import { display, type FileSession, perform } from "../file-session.js"
import type { HeldDirectory, Place, Target } from "../walk/walk.js"

/** Names that are shown at most. */
const maxNames = 3
/** Entries that are compared at most, so that a mistake in a huge directory stays cheap. */
const maxCompared = 1000

/** The error for a path where nothing is, with near names that the call may see. */
export async function missingPath(session: FileSession, call: CallScope, target: Target): Promise<ToolError> {
  const near =
    (await bestEffort("the error is about the path; near names only help", nearPaths(session, call, target))) ?? []
  const names = near.map((path) => display(session, path))
  const isTemporary = target.root.path === session.temporary?.folder
  const whose = isTemporary ? "; this is the session's own /tmp, which has none of the machine's files" : ""
  const question = names.length > 0 ? `; did you mean ${names.map((name) => JSON.stringify(name)).join(" or ")}?` : ""
  return new ToolError("not_found", `Cannot ${target.action} "${target.shown}": it does not exist${whose}${question}`, {
    hint: names.length > 0 ? "Use one of the near names" : { say: "Look for it with {tool:glob|ls}" },
    ...(names.length > 0 && { details: { near: names } }),
  })
}

async function nearPaths(session: FileSession, call: CallScope, target: Target): Promise<string[]> {
  const place = await perform(target, () => target.root.walk.find(target, session.roots))
  try {
    const candidates = target.root.remote ? [] : [...siblings(place), ...sameNameNearby(place)]
    const admitted = candidates.filter((path) => call.grant.admits("fs.read", path))
    return [...new Set(admitted)].slice(0, maxNames)
  } finally {
    place.directory.close()
  }
}

/** Names like the first missing part, nearest first. When parts follow, they must exist below it, which says more. */
function siblings({ directory, name, rest }: Place): string[] {
  const entries = entriesOf(directory)
  const near = nearestNames(name, entries, 2 * maxNames)
  const candidates = rest.length === 0 ? near : [...near, ...entries]
  return candidates
    .filter((entry) => exists(join(directory.self, entry, ...rest)))
    .map((entry) => join(directory.path, entry, ...rest))
}

/** The same name in a directory beside its own, one above, or directly below. */
function sameNameNearby({ root, directory, name, rest }: Place): string[] {
  if (rest.length > 0) return []
  const below = entriesOf(directory).map((entry) => join(entry, name))
  const beside =
    directory.path === root.path
      ? []
      : [join("..", name), ...entriesOf(directory, "..").map((entry) => join("..", entry, name))]
  return [...below, ...beside]
    .filter((path) => exists(`${directory.self}/${path}`))
    .map((path) => join(directory.path, path))
}

function entriesOf(directory: HeldDirectory, below = "."): string[] {
  const handle = opendirSync(`${directory.self}/${below}`)
  const names: string[] = []
  try {
    for (let entry = handle.readSync(); entry && names.length < maxCompared; entry = handle.readSync()) {
      names.push(entry.name)
    }
  } finally {
    handle.closeSync()
  }
  return names.sort()
}

/** Only entries that are no links: a name is proposed without walking to where it leads. */
function exists(path: string): boolean {
  const facts = bestEffort("a name that cannot be looked at is not proposed", () => lstatSync(path))
  return facts !== undefined && !facts.isSymbolicLink()
}
