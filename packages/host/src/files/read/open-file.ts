import type { Stats } from "node:fs"
import type { CallScope, LineRequest, OpenFile } from "@haft/contract"
import { assertActive, type FileSession, judge, ShownPurpose } from "../file-session.js"
import { linesInMemory } from "../lines/window.js"
import { errnoOf } from "../system/errno.js"
import { closeQuietly, readFully } from "../system/file-call.js"
import { identityOf } from "../system/file-identity.js"
import { type Program, smallBytes } from "../system/program.js"
import { isRemote } from "../system/remote.js"
import type { Pinned, Target } from "../walk/walk.js"
import { retarget } from "../walk/walk.js"
import { assertRegular } from "./assert-regular.js"
import { holdLargeFile } from "./large-file.js"
import type { LookedFile } from "./looked-files.js"

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
