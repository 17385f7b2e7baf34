import type { Stats } from "node:fs"
import type { CallScope, LineRequest, OpenFile } from "@haft/contract"
import { type FileSession, judge } from "../file-session.js"
import { linesInMemory } from "../lines/window.js"
import { closeQuietly, readFully } from "../system/file-call.js"
import { type Program, smallBytes } from "../system/program.js"
import { identityOf } from "../system/file-identity.js"
import { isRemote } from "../system/remote.js"
import { type Pinned, pathOf, type Target } from "../walk/walk.js"
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

/** Opens a small local file in plain calls; undefined when it is none, or when anything is unusual. */
export function openQuickly(session: FileSession, call: CallScope, target: Target): OpenFile | undefined {
  const held = session.looked.take(pathOf(target)) ?? target.root.walk.quick?.hold(target)
  if (held === undefined || held === "elsewhere") return undefined
  try {
    const { path, facts } = held
    if (!facts.isFile() || facts.size > smallBytes || isRemote(path, facts)) return undefined
    judge(call, "fs.read", { path, target })
    const bytes = held.read()
    call.observe({ kind: "fs.read", path })
    session.ledger.remember(path, { identity: identityOf(facts), bytes })
    return smallFile(path, facts, bytes)
  } finally {
    held.close()
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
