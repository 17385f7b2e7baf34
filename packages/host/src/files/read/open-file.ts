import type { Stats } from "node:fs"
import type { CallScope, LineRequest, Located, OpenFile } from "@haft/contract"
import { absolutePath, assertActive, type FileSession, judge, type LookedFile, ShownPurpose } from "../file-session.js"
import { identityOf } from "../ledger.js"
import { linesInMemory } from "../lines/window.js"
import { errnoOf, fileError } from "../system/errno.js"
import { closeQuietly, lstat, readFully } from "../system/file-call.js"
import { drive, isRemote, type Program, smallBytes, withinTurnBudget } from "../system/program.js"
import { resolveLinks, resolvePlaces } from "../walk/resolve-links.js"
import { type Pinned, retarget, type Target } from "../walk/walk.js"
import { assertRegular } from "./assert-regular.js"
import { holdLargeFile } from "./large-file.js"

/** Opens what is pinned: a small file is read on the spot, a large or remote one stays open. */
export function* openPinned(session: FileSession, call: CallScope, opening: Opening): Program<OpenFile> {
  const { pinned, target } = opening
  const { path, facts } = pinned
  judge(call, "fs.read", { path, target })
  assertRegular(facts, target)
  const remote = target.root.remote || isRemote(pinned.self, facts)
  const descriptor = yield* pinned.openForReading()
  call.observe({ kind: "fs.read", path })
  if (remote || facts.size > smallBytes) {
    session.ledger.remember(path, { identity: identityOf(facts) })
    return holdLargeFile(session, call, { descriptor, path, facts, target, remote })
  }
  try {
    const bytes = yield* readFully(descriptor, facts.size, 0)
    session.ledger.remember(path, { identity: identityOf(facts), bytes })
    return smallFile(path, facts, bytes)
  } finally {
    closeQuietly(descriptor)
  }
}

/** Opens what this turn of the event loop has already looked at under the same spelling; undefined when it has not. */
export function openLooked(session: FileSession, call: CallScope, path: string): OpenFile | undefined {
  const looked = session.looked.take(path)
  if (!looked) return undefined
  const { hold, target } = looked
  return openHold(session, call, { hold, target: retarget(target, new ShownPurpose(session, hold.path, "read")) })
}

/** Opens a local file in plain calls; undefined when it is none, or when anything is unusual. */
export function openQuickly(session: FileSession, call: CallScope, target: Target): OpenFile | undefined {
  const hold = target.root.walk.quick?.hold(target)
  return hold === undefined || hold === "elsewhere" ? undefined : openHold(session, call, { hold, target })
}

/** Closes the hold. What fails is left to the careful way, which says why. */
function openHold(session: FileSession, call: CallScope, { hold, target }: LookedFile): OpenFile | undefined {
  try {
    assertActive(call, target)
    const { path, facts } = hold
    if (!facts.isFile() || isRemote(path, facts)) return undefined
    judge(call, "fs.read", { path, target })
    const identity = identityOf(facts)
    if (facts.size > smallBytes) {
      const descriptor = hold.openForReading()
      call.observe({ kind: "fs.read", path })
      session.ledger.remember(path, { identity })
      return holdLargeFile(session, call, { descriptor, path, facts, target, remote: false })
    }
    const bytes = hold.read()
    call.observe({ kind: "fs.read", path })
    session.ledger.remember(path, { identity, bytes })
    return smallFile(path, facts, bytes)
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return undefined
  } finally {
    hold.close()
  }
}

/** A pinned file and what it was pinned for. */
export interface Opening {
  readonly pinned: Pinned
  readonly target: Target
}

/** Written out rather than spread: this is the most frequent object of all, and a spread costs microseconds. */
function smallFile(path: string, facts: Stats, whole: Buffer): OpenFile {
  return {
    path,
    kind: "file",
    size: whole.length,
    mtimeMs: facts.mtimeMs,
    mode: facts.mode & 0o7777,
    whole,
    read: async (offset: number, length: number) => whole.subarray(offset, offset + length),
    lines: async (request: LineRequest) => linesInMemory(whole, request),
    close: async () => undefined,
  }
}

/** Where a path leads, inside the roots or not; looks at the path and opens nothing. */
export async function locate(session: FileSession, path: string): Promise<Located> {
  const absolute = absolutePath(session, path, "find")
  const target = session.roots.target(absolute, { action: "find", shown: path })
  try {
    if (session.temporary?.holds(absolute))
      return { spelled: path, absolute, ...(await lookInPlaces(session, absolute)) }
    // A path outside all roots may be on a slow file system.
    const remote = target?.root.remote ?? true
    const { resolved, kind } = await withinTurnBudget(
      () =>
        (target && !remote && lookNow(session, target, { spelled: path, absolute })) ||
        drive(lookBy(resolveLinks(absolute)), remote),
    )
    // A link to /tmp resolves to the session's own.
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
