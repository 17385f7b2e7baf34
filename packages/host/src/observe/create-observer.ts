import { join } from "node:path"
import type { ObservedChanges, WalledCall } from "@haft/contract"
import { compareSnapshots } from "./compare-snapshots.js"
import { createContentPack } from "./content-pack.js"
import { describeChanges } from "./describe-changes.js"
import { keepContents } from "./keep-contents.js"
import { leftOutEffect, listChanges } from "./list-changes.js"
import { defaultObserveLimits, type ObserveLimits } from "./observe-limits.js"
import { recordChanges } from "./record-changes.js"
import { type Entry, type Snapshot, scanWorkspace } from "./scan-workspace.js"
import { removeSetId, removeUnreadSetId, setIdFiles, setIdIdentity, setIdNotes } from "./set-id-files.js"

/** Knows what commands changed in the workspace of a session. */
export interface Observer {
  /** Looks at the workspace before a command that may write. */
  begin(call: WalledCall): Promise<Observation>
  /**
   * For a process that outlives its call: looks which files let everybody run them as their owner or group. The answer
   * removes that from those that came since, and says so.
   */
  watchSetId(): Promise<() => Promise<readonly string[]>>
  close(): Promise<void>
}

/** One command between its two looks. */
export interface Observation {
  /** Looks again, records what changed as effects of the call and says it; later calls give the same answer. */
  end(ran?: CommandSandboxFacts): Promise<ObservedChanges>
}

/** What the sandbox of a command held. */
export interface CommandSandboxFacts {
  readonly isConfined: boolean
  /** A system-call filter kept it from making set-user-id files. */
  readonly isFiltered: boolean
}

/** Where to look and what to keep. */
export interface ObserverOptions {
  /** Absolute, links followed. */
  readonly roots: readonly string[]
  readonly directory: string
  readonly historyFolder: string
  readonly sessionFolder: string
  readonly limits?: Partial<ObserveLimits>
  /** Paths that are only there to hold their names while a command runs: no change of anybody's. */
  readonly held?: () => ReadonlySet<string>
}

const retryMs = 60_000

const clockGrainMs = 20

interface Active {
  shared: boolean
  readonly sinceMs: number
}

/**
 * All commands of a session are measured against one picture of the workspace, so that a change is told exactly once,
 * also when commands overlap: by the one that ends first.
 */
export function createObserver(options: ObserverOptions): Observer {
  const limits = { ...defaultObserveLimits, ...options.limits }
  const { roots, directory, historyFolder } = options
  const pack = createContentPack(join(options.sessionFolder, "before"), limits.totalBytes * 4)
  const active = new Set<Active>()
  const inTurn = createTurnstile()
  let picture: Snapshot | undefined
  // A workspace that was too large is left alone for a while: every command would pay the same time for nothing.
  let nextLookMs = 0

  const look = async (): Promise<Map<string, Entry> | undefined> => {
    if (performance.now() < nextLookMs) return undefined
    const heldBefore = options.held?.() ?? none
    const snapshot = await scanWorkspace(roots, limits)
    if (!snapshot) {
      nextLookMs = performance.now() + retryMs
      return undefined
    }
    // Other commands take and give names while this one looks: what was held at either end may have been seen.
    return withoutHeld(snapshot, [heldBefore, options.held?.() ?? none])
  }
  const begin = async (call: WalledCall, own: Active): Promise<void> => {
    // While another command runs, a new picture would hide what that one has changed so far.
    if (active.size === 0) {
      picture = await look()
      if (picture) await keepContents({ snapshot: picture, pack, grant: call.grant, limits })
    }
    active.add(own)
    if (active.size > 1) for (const each of active) each.shared = true
  }
  const end = async (call: WalledCall, own: Active, ran: CommandSandboxFacts): Promise<ObservedChanges> => {
    active.delete(own)
    const before = picture
    const after = before && (await look())
    picture = after
    if (!before || !after) return notCompared(limits)
    const { differences, setId } = await withoutSetId({ before, after, sinceMs: own.sinceMs, ran })
    const { listed, leftOut } = listChanges(differences, limits.changes)
    const recorded = await recordChanges(listed, { call, roots, before, pack, historyFolder, limits })
    if (leftOut > 0) call.observe(leftOutEffect(roots[0]!, leftOut))
    const notes = setIdNotes(setId, directory)
    return describeChanges(recorded, { call, directory, roots, leftOut, shared: own.shared, notes })
  }

  return {
    async begin(call) {
      // File times come from a clock that ticks.
      const own: Active = { shared: false, sinceMs: Date.now() - clockGrainMs }
      await inTurn(() => begin(call, own))
      let ending: Promise<ObservedChanges> | undefined
      return {
        end(ran = { isConfined: true, isFiltered: false }) {
          ending ??= inTurn(() => end(call, own, ran))
          return ending
        },
      }
    },
    async watchSetId() {
      const known = new Set(setIdFiles((await inTurn(look)) ?? []).map(([, entry]) => setIdIdentity(entry)))
      return () =>
        inTurn(async () => {
          const after = await look()
          return after
            ? setIdNotes(
                removeSetId(setIdFiles(after), known, () => undefined),
                directory,
              )
            : []
        })
    },
    close: () => inTurn(async () => pack.close()),
  }
}

const none: ReadonlySet<string> = new Set()

interface Looks {
  readonly before: Snapshot
  readonly after: Map<string, Entry>
  readonly sinceMs: number
  readonly ran: CommandSandboxFacts
}

/** The differences, after what a confined command gave away to everybody was taken back. */
async function withoutSetId({ before, after, sinceMs, ran }: Looks) {
  const differences = compareSnapshots(before, after)
  if (!ran.isConfined) return { differences, setId: { removed: [], left: [] } }
  const found = setIdFiles(differences.flatMap(({ path, after: now }) => (now ? [[path, now] as const] : [])))
  // Files that had the bits and went with their folder to another place keep them.
  const known = new Set(found.length === 0 ? [] : setIdFiles(before).map(([, entry]) => setIdIdentity(entry)))
  const seen = removeSetId(found, known, (path, entry) => after.set(path, entry))
  const unread = ran.isFiltered ? undefined : await removeUnreadSetId(after, { sinceMs, maxMs: unreadMs })
  return {
    differences: differences.map((one) => (one.after ? { ...one, after: after.get(one.path) } : one)),
    setId: {
      removed: [...seen.removed, ...(unread?.removed ?? [])],
      left: [...seen.left, ...(unread?.left ?? [])],
      isWhole: unread?.isWhole ?? true,
    },
  }
}

/** Working time of looking through installed packages and git's objects. */
const unreadMs = 200

function withoutHeld(snapshot: Map<string, Entry>, held: readonly ReadonlySet<string>[]): Map<string, Entry> {
  if (held.every((names) => names.size === 0)) return snapshot
  return new Map([...snapshot].filter(([path]) => !held.some((names) => names.has(path))))
}

function notCompared({ entries }: ObserveLimits): ObservedChanges {
  const note = `The workspace is too large to compare (more than ${entries} entries, or too slow to look at); changes were not listed and cannot be undone`
  return { written: [], deleted: [], unexpected: [], protectedCreated: [], complete: false, note }
}

/** Looks do not overlap. */
function createTurnstile(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
