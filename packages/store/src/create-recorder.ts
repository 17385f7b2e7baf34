import { ToolError } from "@haft/contract"
import { type Appender, appendParts } from "./append-parts.js"
import { type ChainHead, type PartDraft, placePart, type Tail } from "./call-record.js"
import { Clash, type Driver, type PartWrite } from "./driver/driver.js"

/** Writes parts in groups: what arrives in one turn of the event loop is one commit. */
export interface Recorder {
  /** Resolves when the part is durable. */
  append(draft: PartDraft): Promise<void>
  /** From now on this process alone appends calls to the session, so its tail may be kept in memory. */
  own(sessionId: string, lease: { readonly isFresh: () => boolean; readonly tail: Tail | undefined }): void
  disown(sessionId: string): void
  /** Heads of owned sessions that the session's row does not hold yet. */
  unsavedHead(sessionId: string): ChainHead | undefined
  markSaved(sessionId: string, head: ChainHead): void
  /** Resolves when everything that was appended is written or has failed. */
  drain(): Promise<void>
}

/** Makes a recorder. `onLag` is called when a session's saved head has fallen far behind. */
export function createRecorder(options: {
  readonly driver: Driver
  readonly appender: () => Appender
  readonly onLag: (sessionId: string) => void
}): Recorder {
  const { driver, appender, onLag } = options
  const owned = new Map<string, OwnedSession>()
  const begun = new Set<string>()
  let pending: Pending[] = []
  let flushing: Promise<void> | undefined
  let groupsInTurn = 0

  return {
    append: (draft) =>
      new Promise((resolve, reject) => {
        pending.push({ draft, resolve, reject })
        flushing ??= moment().then(flushAll)
      }),
    own: (sessionId, { isFresh, tail }) =>
      void owned.set(sessionId, { isFresh, tail, savedSeq: tail?.head.seq ?? 0, askedSeq: tail?.head.seq ?? 0 }),
    disown: (sessionId) => void owned.delete(sessionId),
    unsavedHead(sessionId) {
      const session = owned.get(sessionId)
      return session?.tail && session.tail.head.seq > session.savedSeq ? session.tail.head : undefined
    },
    markSaved(sessionId, head) {
      const session = owned.get(sessionId)
      if (session) session.savedSeq = Math.max(session.savedSeq, head.seq)
    },
    async drain() {
      await flushing
    },
  }

  /**
   * The first groups of a turn go at once, what comes later in the same turn waits for its end: a lone call is not
   * delayed, and a thousand calls are a few commits.
   */
  function moment(): Promise<void> {
    if (groupsInTurn >= promptGroups) return new Promise((resolve) => setImmediate(resolve))
    groupsInTurn++
    if (groupsInTurn === 1) {
      setImmediate(() => {
        groupsInTurn = 0
      })
    }
    return Promise.resolve()
  }

  async function flushAll(): Promise<void> {
    while (pending.length > 0) {
      const group = pending
      pending = []
      const left = await writeHot(group)
      if (left.length > 0) await writeSlow(left)
    }
    flushing = undefined
  }

  /** Continues the chains of owned sessions from memory. Returns what must go the slow way. */
  async function writeHot(group: readonly Pending[]): Promise<readonly Pending[]> {
    const tails = new Map<string, Tail>()
    const writes: PartWrite[] = []
    const hot: Pending[] = []
    for (const item of group) {
      const { draft } = item
      const tail = tails.get(draft.sessionId) ?? freshTail(draft.sessionId)
      if (!tail) continue
      const placed = placePart(draft, tail)
      tails.set(draft.sessionId, placed.tail)
      const kind = begun.has(draft.id) ? "settle" : "insert"
      // The end of a call that must not run twice counts as much as its beginning.
      writes.push({ kind, row: placed.row, synced: draft.synced || kind === "settle" })
      hot.push(item)
    }
    if (hot.length === 0) return group
    try {
      await driver.writeParts(writes)
    } catch (error) {
      // What is on disk is not known now; the next write finds out.
      forget(tails.keys())
      if (error instanceof Clash) return group
      for (const item of hot) item.reject(driver.explain(error, "write to the journal"))
      return group.filter((item) => !hot.includes(item))
    }
    keep(tails)
    finish(hot)
    return group.filter((item) => !hot.includes(item))
  }

  async function writeSlow(group: readonly Pending[]): Promise<void> {
    try {
      const tails = await append(group.map((item) => item.draft))
      keep(tails)
      finish(group)
    } catch (error) {
      forget(group.map((item) => item.draft.sessionId))
      if (group.length === 1) return group[0]!.reject(error)
      // One part that cannot be written must not take the others with it.
      for (const item of group) await writeSlow([item])
    }
  }

  async function append(drafts: readonly PartDraft[]): Promise<ReadonlyMap<string, Tail>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await appendParts(driver, drafts, appender())
      } catch (error) {
        // An owner may take the next index between our look and our write; it is rare and the next look sees it.
        if (error instanceof Clash && attempt < 10) continue
        if (error instanceof Clash) throw busySession(drafts[0]!.sessionId, error)
        throw driver.explain(error, "write to the journal")
      }
    }
  }

  function freshTail(sessionId: string): Tail | undefined {
    const session = owned.get(sessionId)
    return session?.isFresh() ? session.tail : undefined
  }

  function keep(tails: ReadonlyMap<string, Tail>): void {
    for (const [sessionId, tail] of tails) {
      const session = owned.get(sessionId)
      if (!session) continue
      session.tail = tail
      if (tail.head.seq - session.askedSeq < headEvery) continue
      session.askedSeq = tail.head.seq
      onLag(sessionId)
    }
  }

  function forget(sessionIds: Iterable<string>): void {
    for (const sessionId of sessionIds) {
      const session = owned.get(sessionId)
      if (session) session.tail = undefined
    }
  }

  function finish(items: readonly Pending[]): void {
    for (const { draft, resolve } of items) {
      if (draft.chained) begun.delete(draft.id)
      else begun.add(draft.id)
      resolve()
    }
  }
}

/** Enough for the beginnings and the ends of a few calls that follow one another and do nothing in between. */
const promptGroups = 8

/** So many parts may follow the head that the session's row holds: what a removed tail can hide at most. */
const headEvery = 64

interface Pending {
  readonly draft: PartDraft
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

interface OwnedSession {
  readonly isFresh: () => boolean
  tail: Tail | undefined
  savedSeq: number
  /** The head when saving was last asked for. */
  askedSeq: number
}

function busySession(sessionId: string, cause: unknown): ToolError {
  return new ToolError(
    "unavailable",
    `Cannot write to session "${sessionId}": other writers were faster each time; try again`,
    { cause },
  )
}
