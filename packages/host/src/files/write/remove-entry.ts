import { type CallScope, type RemoveReceipt, ToolError } from "@haft/contract"
import { linkIdentity } from "../../undo/keep/entry-identity.js"
import { maxObjectBytes } from "../../undo/keep/history-object.js"
import { keepFormer, notKept } from "../../undo/keep/keep-former.js"
import { aim, assertActive, type FileSession, judge, perform } from "../file-session.js"
import { identityOf, sameIdentity } from "../ledger.js"
import { missingPath } from "../read/near-names.js"
import { lstat, readlink, unlink } from "../system/file-call.js"
import type { Program } from "../system/program.js"
import { unsteadyPath } from "../walk/assert-same-root.js"
import { findEntry } from "../walk/find-entry.js"
import type { Place, Target } from "../walk/walk.js"
import type { CallTraces } from "./call-traces.js"
import { type Current, readCurrent } from "./read-current.js"
import { removeEmpty } from "./remove-empty.js"
import { withWriteLocks } from "./with-write-locks.js"

export interface Removal {
  readonly path: string
  readonly expectHash?: string | undefined
  readonly traces: CallTraces
}

/** Removes a regular file or a link; folders that the same call made for it go with it when they are empty. */
export async function removeEntry(session: FileSession, call: CallScope, removal: Removal): Promise<RemoveReceipt> {
  const target = await aim(session, removal.path, "remove")
  assertActive(call, target)
  const path = await perform(target, () => entryPath(session, target))
  const locked = { historyFolder: session.historyFolder, paths: [path], target, call }
  const receipt = await withWriteLocks(locked, async () => {
    const place = await perform(target, () => findEntry(target, session.roots))
    try {
      if (place.path !== path) throw unsteadyPath(target)
      return await removeAt(session, call, { ...removal, target, place })
    } finally {
      place.directory.close()
    }
  })
  await removeEmpty(session, removal.traces.createdDirectories.get(path) ?? [])
  removal.traces.createdDirectories.delete(path)
  return receipt
}

/** Where an entry is, its directory not held any longer. */
export function* entryPath(session: FileSession, target: Target): Program<string> {
  const { path, directory } = yield* findEntry(target, session.roots)
  directory.close()
  return path
}

interface Task extends Removal {
  readonly target: Target
  readonly place: Place
}

async function removeAt(session: FileSession, call: CallScope, task: Task): Promise<RemoveReceipt> {
  const { target, place, traces } = task
  const { path, facts } = place
  if (facts?.isDirectory()) {
    throw new ToolError("unsupported", `Cannot remove "${target.shown}": it is a directory; name a file in it`)
  }
  if (!facts) throw await missingPath(session, call, target)
  judge(call, "fs.delete", { path, target })
  if (facts.isSymbolicLink()) return removeLink(call, task)
  const current = await readCurrent({ target, place, call, maxBytes: maxObjectBytes, above: "hash" })
  if (!current) throw unsteadyPath(target)
  const before = await current.hash()
  if (task.expectHash !== undefined && task.expectHash !== before) throw otherContent(target)
  assertActive(call, target)
  const mayKeep = call.grant.mayKeep(path)
  const kept = await perform(target, () => unlinkKept(session, { target, place, current, before, mayKeep }))
  const mode = facts.mode & 0o7777
  call.observe({ kind: "fs.delete", path, before, after: null, kept, mode })
  session.ledger.forget(path)
  traces.removedModes.set(path, mode)
  traces.touched.add(path)
  return { path, before: mayKeep ? current.content?.bytes : undefined }
}

interface KeptRemoval {
  readonly target: Target
  readonly place: Place
  readonly current: Current
  readonly before: string
  readonly mayKeep: boolean
}

function* unlinkKept({ historyFolder }: FileSession, removal: KeptRemoval): Program<true | string> {
  const { target, place, current, before, mayKeep } = removal
  const { directory, name } = place
  const { facts, content } = current
  yield* assertSame(target, place, current)
  const former = mayKeep
    ? yield* keepFormer(historyFolder, { directory, name, facts, bytes: content?.bytes, hash: before })
    : notKept("a rule names it as secret")
  try {
    yield* unlink(directory.entry(name))
  } catch (error) {
    yield* former.drop()
    throw error
  }
  former.seal()
  return former.kept
}

/** The last look: the directory is in place, and the file is the one that was read. */
function* assertSame(target: Target, { directory, name }: Place, { facts }: Current): Program<void> {
  if (!(yield* directory.isInPlace())) throw unsteadyPath(target)
  const now = yield* lstat(directory.entry(name))
  if (!now || !sameIdentity(identityOf(now), identityOf(facts))) throw otherContent(target)
}

async function removeLink(call: CallScope, { target, place }: Task): Promise<RemoveReceipt> {
  const { path, directory, name } = place
  const text = await perform(target, function* () {
    if (!(yield* directory.isInPlace())) throw unsteadyPath(target)
    // Fails when something else took the place of the link.
    const linkText = yield* readlink(directory.entry(name))
    yield* unlink(directory.entry(name))
    return linkText
  })
  const kept = call.grant.mayKeep(path)
  const before = kept ? linkIdentity(text) : null
  call.observe({ kind: "fs.delete", path, before, after: null, kept: kept || "a rule names it as secret" })
  return { path, before: undefined }
}

function otherContent({ shown }: Target): ToolError {
  return new ToolError("conflict", `Cannot remove "${shown}": its content is not the expected one; read it again`, {
    hint: "Read the file again",
  })
}
