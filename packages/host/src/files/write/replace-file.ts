import { lstatSync, unlinkSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { bestEffort, type CallScope, type WriteReceipt } from "@haft/contract"
import { assertNotMasked } from "../../run/long-lived/held-masks.js"
import { aim, assertActive, type FileSession, judge, perform } from "../file-session.js"
import { type Comparison, identityOf } from "../ledger.js"
import { contentHash, contentHashAside } from "../system/content-hash.js"
import type { Program } from "../system/program.js"
import { unsteadyPath } from "../walk/assert-same-root.js"
import type { HeldDirectory, Place, Target } from "../walk/walk.js"
import type { CallTraces } from "./call-traces.js"
import { type Committed, commit } from "./commit.js"
import { oneAtATime } from "./path-queue.js"
import { type Current, type CurrentRequest, readCurrent } from "./read-current.js"
import { tempPattern, withoutSetId } from "./temp-file.js"
import { acquireWriteLock } from "./write-lock.js"

/** What is to become of a file. */
export interface Replacement extends Pick<CurrentRequest, "maxBytes" | "above"> {
  readonly path: string
  readonly action: string
  readonly traces: CallTraces
  /** True when `make` sees the content, so that reading must be granted too. */
  readonly reads: boolean
  /** The new content. A throw leaves the file as it is. */
  make(found: Found): Uint8Array | Promise<Uint8Array>
}

/** A file that is about to be replaced. */
export interface Found {
  readonly target: Target
  /** Absolute, links followed. */
  readonly path: string
  /** Undefined when the file is missing. */
  readonly current: Current | undefined
  /** Whether the file is as the session last saw it. */
  readonly comparison: Comparison
}

/** Replaces or creates one file: one writer at a time, nothing half done, the former content kept. */
export async function replaceFile(session: FileSession, call: CallScope, wanted: Replacement): Promise<WriteReceipt> {
  const target = await aim(session, wanted.path, wanted.action)
  assertActive(call, target)
  const path = await perform(target, () => resolvedPath(session, target))
  return oneAtATime(path, async () => {
    const release = await acquireWriteLock({ historyFolder: session.historyFolder, path, target, call })
    try {
      const place = await perform(target, () => target.root.walk.find(target, session.roots))
      try {
        if (place.path !== path) throw unsteadyPath(target)
        return await replaceAt(session, call, { wanted, target, place })
      } finally {
        place.directory.close()
      }
    } finally {
      release()
    }
  })
}

/** Content up to this size is hashed on this thread, which takes two or three milliseconds at most. */
const hashedHereBytes = 4 * 1024 * 1024

interface Task {
  readonly wanted: Replacement
  readonly target: Target
  readonly place: Place
}

async function replaceAt(session: FileSession, call: CallScope, task: Task): Promise<WriteReceipt> {
  const { wanted, target, place } = task
  const { path } = place
  judge(call, "fs.write", { path, target })
  assertNotMasked(path, target)
  if (wanted.reads) judge(call, "fs.read", { path, target })
  const current = await readCurrent({ ...wanted, target, place, call })
  if (wanted.reads && current) call.observe({ kind: "fs.read", path })
  const comparison = await compare(session, path, current)
  const before = current && ((comparison.state === "same" && comparison.hash) || current.hash())
  const bytes = await wanted.make({ target, path, current, comparison })
  assertActive(call, target)
  const keptBytes = call.grant.mayKeep(path) ? current?.content?.bytes : undefined
  const committing = perform(target, () =>
    commit({
      target,
      place,
      bytes,
      expected: current?.facts,
      // A file that the same call had taken away comes back with its mode.
      ...withMode(current ? undefined : wanted.traces.removedModes.get(path)),
      former: before && formerPlan(session, call, { path, before, bytes: keptBytes }),
      beforeRename: () => assertActive(call, target),
    }),
  )
  // Large content is being written by the thread pool now: this thread hashes it meanwhile.
  const after = bytes.length <= hashedHereBytes ? contentHash(bytes) : contentHashAside(bytes)
  const done = await committing
  wanted.traces.touched.add(path)
  if (done.createdDirectories.length > 0) wanted.traces.createdDirectories.set(path, done.createdDirectories)
  try {
    return await settle(session, call, { path, done, current, comparison, bytes, before, after, keptBytes })
  } finally {
    await sweepTemps(done.directory)
    if (done.directory !== place.directory) done.directory.close()
  }
}

function* resolvedPath(session: FileSession, target: Target): Program<string> {
  const { path, directory } = yield* target.root.walk.find(target, session.roots)
  directory.close()
  return path
}

function withMode(mode: number | undefined): { readonly mode?: number } {
  return mode === undefined ? {} : { mode: withoutSetId(mode) }
}

async function compare({ ledger }: FileSession, path: string, current: Current | undefined): Promise<Comparison> {
  // A file that is gone cannot lose anything by being written.
  if (!current) return { state: "unknown" }
  const { facts, content } = current
  return ledger.compare(path, { identity: identityOf(facts), bytes: content?.bytes, hash: () => current.hash() })
}

type FormerRequest = {
  readonly path: string
  readonly before: string | Promise<string>
  readonly bytes?: Uint8Array | undefined
}

function formerPlan({ historyFolder }: FileSession, call: CallScope, { path, before, bytes }: FormerRequest) {
  return call.grant.mayKeep(path) ? { historyFolder, bytes, hash: before } : "a rule names it as secret"
}

interface Outcome {
  readonly path: string
  readonly done: Committed
  readonly current: Current | undefined
  readonly comparison: Comparison
  readonly bytes: Uint8Array
  readonly before: string | Promise<string> | undefined
  readonly after: string | Promise<string>
  readonly keptBytes: Uint8Array | undefined
}

/** Tells the call and the session what happened. */
async function settle(session: FileSession, call: CallScope, outcome: Outcome): Promise<WriteReceipt> {
  const { path, done, current, comparison, bytes, keptBytes } = outcome
  const [before, after] = [(await outcome.before) ?? null, await outcome.after]
  call.observe({
    kind: "fs.write",
    path,
    before,
    after,
    kept: done.kept,
    ...(current && { mode: current.facts.mode & 0o7777 }),
    ...(done.createdDirectories.length > 0 && { createdDirectories: done.createdDirectories }),
  })
  // A change that the session has not seen stays unseen, although an edit of another part of the file went through.
  if (comparison.state !== "changed") {
    session.ledger.remember(path, { identity: identityOf(done.facts), bytes, hash: after })
  }
  return { path, created: !current, bytesWritten: bytes.length, hash: after, before: keptBytes }
}

/** A temporary file lives for milliseconds; one that is this old was left behind by a killed process. */
const leftBehindMs = 60_000
const maxRemembered = 1000

// Of the process: what matters is how often the disk is looked at, whichever session writes.
const sweptAt = new Map<string, number>()

/** Removes temporary files that killed processes left in a directory; looks at most once a minute. */
async function sweepTemps(directory: HeldDirectory): Promise<void> {
  const now = Date.now()
  if (now - (sweptAt.get(directory.path) ?? 0) < leftBehindMs) return
  if (sweptAt.size >= maxRemembered) sweptAt.clear()
  sweptAt.set(directory.path, now)
  await bestEffort("the write itself has succeeded", async () => {
    const names = await readdir(directory.self)
    for (const name of names) if (tempPattern.test(name)) removeWhenOld(directory.entry(name), now)
  })
}

function removeWhenOld(path: string, now: number): void {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (facts?.isFile() && now - facts.mtimeMs > leftBehindMs) unlinkSync(path)
}
