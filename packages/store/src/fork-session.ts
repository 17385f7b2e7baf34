import { type CallRecord, hiddenTurns, noUsage, ToolError, type TurnRecord } from "@haft/contract"
import type { Blobs } from "./blobs.js"
import {
  type ChainHead,
  callDraft,
  emptyHead,
  type PartDraft,
  type PlacedPart,
  placePart,
  recordJson,
  rowToCall,
  splitLink,
} from "./call-record.js"
import { createId } from "./create-id.js"
import type { Driver } from "./driver/driver.js"
import { endedByCrash } from "./lease/leases.js"
import { isLiving } from "./lease/owner.js"
import { readSessionParts } from "./read-parts.js"
import { missing, refuseImported } from "./refusal.js"
import type { PartRow, SessionRow } from "./schema/tables.js"
import { parseMetadata } from "./session-metadata.js"
import type { ForkOptions } from "./store.js"
import { type blobsOf, storedUsage, turnTypes } from "./turn-record.js"
import { sumOfUsages, sumsOf } from "./usage-sums.js"

/** Type of the part that begins a forked session and names its origin. */
export const forkType = "data-fork"

/** Makes a new session of what another one has up to a point. Resolves to its id. */
export async function forkSession(
  driver: Driver,
  sessionId: string,
  { at, metadata, blobs, now }: ForkOptions & { readonly blobs: Blobs; readonly now: number },
): Promise<string> {
  const row = await driver.db.selectFrom("chat_sessions").selectAll().where("id", "=", sessionId).executeTakeFirst()
  if (!row) throw missing("fork", sessionId)
  const parts: PartRow[] = []
  for await (const part of readSessionParts(driver.db, sessionId)) parts.push(part)
  refuseWorking(row, parts, now)
  const kept = new Transcript(sessionId, parts).upTo(at)
  const copy = new Copy(sessionId, blobs, now)
  const placed = await copy.place(kept)
  const session = sessionOf(row, { id: copy.id, metadata, placed, now, at })
  await driver.transaction(async (db) => {
    await db.insertInto("chat_sessions").values(session).execute()
    for (const { message, row: part } of placed) {
      if (message) await db.insertInto("chat_messages").values(message).execute()
      await db.insertInto("chat_parts").values(part).execute()
    }
  })
  return copy.id
}

/** A session that works now would be copied in the middle of a call. */
function refuseWorking(row: SessionRow, parts: readonly PartRow[], now: number): void {
  const metadata = parseMetadata(row.metadata_json)
  refuseImported(row.id, metadata)
  if (!metadata.owner || !isLiving(metadata.owner, now)) return
  const works = new Transcript(row.id, parts).openTurns.length > 0 || parts.some(isOpenCall)
  if (!works) return
  throw new ToolError("conflict", `Cannot fork session "${row.id}": it is working now`, {
    hint: "Wait for the end of its turn, or stop it",
  })
}

function isOpenCall({ tool_state }: PartRow): boolean {
  return tool_state === "input-available"
}

/** A part with the turn that it belongs to, where it belongs to one. */
interface Placed {
  readonly row: PartRow
  readonly record: TurnRecord | undefined
  readonly turn: string | undefined
}

/** What is kept of a session. */
interface Kept {
  readonly rows: readonly PartRow[]
  /** The turn that has no end in these rows. */
  readonly open: string | undefined
  /** Where the origin's chain was at the last of them. */
  readonly head: ChainHead
}

/** The parts of a session, read turn by turn. */
class Transcript {
  readonly openTurns: readonly string[]
  private readonly sessionId: string
  private readonly parts: readonly Placed[]
  private readonly turns: readonly string[]

  constructor(sessionId: string, rows: readonly PartRow[]) {
    this.sessionId = sessionId
    const parts: Placed[] = []
    const open = new Set<string>()
    let running: string | undefined
    for (const row of rows) {
      const record = recordOf(row)
      if (record?.kind === "start") open.add(record.turnId)
      else if (record) running = record.turnId
      // Calls are recorded between the reply that asks for them and the end of its turn.
      parts.push({ row, record, turn: record?.turnId ?? running })
      if (record?.kind !== "end") continue
      open.delete(record.turnId)
      running = undefined
    }
    this.parts = parts
    this.openTurns = [...open]
    this.turns = parts.flatMap(({ record }) => (record?.kind === "start" ? [record.turnId] : []))
  }

  /** The parts up to a turn or a call, without what a rewind hides and without messages that wait for their turn. */
  upTo(at: string | undefined): Kept {
    const hidden = hiddenTurns(this.parts.flatMap(({ record }) => record ?? []))
    const end = at === undefined ? { position: this.parts.length - 1 } : this.find(at, hidden)
    const turns = this.turns.slice(0, end.turn === undefined ? undefined : this.turns.indexOf(end.turn) + 1)
    const shown = this.parts
      .slice(0, end.position + 1)
      .filter(({ turn }) => turn === undefined || (turns.includes(turn) && !hidden.has(turn)))
    const begun = new Set(shown.flatMap(({ record, turn }) => (record?.kind === "start" ? [] : (turn ?? []))))
    const ended = new Set(shown.flatMap(({ record }) => (record?.kind === "end" ? [record.turnId] : [])))
    const rows = shown.filter(({ turn }) => turn === undefined || begun.has(turn)).map(({ row }) => row)
    const open = [...begun].find((turn) => !ended.has(turn))
    const last = this.parts.slice(0, end.position + 1).findLast(({ row }) => splitLink(row.data_json).link)
    return { rows, open, head: last ? splitLink(last.row.data_json).link! : emptyHead }
  }

  private find(
    at: string,
    hidden: ReadonlySet<string>,
  ): { readonly position: number; readonly turn?: string | undefined } {
    const calls = this.parts.flatMap(({ row }) => (row.type.startsWith("tool-") ? (row.tool_call_id ?? []) : []))
    const named = [...new Set([...this.turns, ...calls])].filter((id) => id.startsWith(at))
    const id = named.includes(at) ? at : named[0]
    if (id === undefined || (named.length > 1 && id !== at) || at === "") {
      const reason = named.length > 1 && at !== "" ? "several begin so" : "it is no turn and no call of the session"
      throw new ToolError("not_found", `Cannot fork at "${at}": ${reason}`, {
        hint: `See the ids with: haft session show ${this.sessionId}`,
      })
    }
    if (hidden.has(id)) throw new ToolError("not_found", `Cannot fork at "${id}": the session was rewound before it`)
    if (!this.turns.includes(id)) {
      const position = this.parts.findLastIndex(({ row }) => row.tool_call_id === id && row.type.startsWith("tool-"))
      return { position, turn: this.parts[position]!.turn }
    }
    const end = this.parts.findIndex(({ record }) => record?.kind === "end" && record.turnId === id)
    return { position: end < 0 ? this.parts.length - 1 : end, turn: id }
  }
}

function recordOf({ type, data_json }: PartRow): TurnRecord | undefined {
  if (!type.startsWith(turnTypes) && type !== "text") return undefined
  const record = JSON.parse(splitLink(data_json).text) as Partial<TurnRecord>
  return typeof record.turnId === "string" && typeof record.kind === "string" ? (record as TurnRecord) : undefined
}

/** A copy in the making: the same words under new ids, in a chain of its own. */
class Copy {
  readonly id: string
  private readonly origin: string
  private readonly blobs: Blobs
  private readonly now: number
  private readonly ids = new Map<string, string>()

  constructor(origin: string, blobs: Blobs, now: number) {
    this.id = createId("ses", now)
    this.origin = origin
    this.blobs = blobs
    this.now = now
    this.ids.set(origin, this.id)
  }

  async place({ rows, open, head }: Kept): Promise<readonly PlacedPart[]> {
    for (const { tool_call_id: call } of rows) if (call !== null) this.ids.set(call, createId("call", this.now))
    const drafts: PartDraft[] = [this.originDraft(head)]
    for (const row of rows) {
      const draft = row.type.startsWith("tool-") ? this.callDraft(row) : await this.turnDraft(row)
      if (draft) drafts.push(draft)
    }
    if (open !== undefined) drafts.push(this.endDraft(open))
    const placed: PlacedPart[] = []
    let tail = { message: undefined, index: -1, head: emptyHead } as PlacedPart["tail"]
    for (const draft of drafts) {
      placed.push(placePart(draft, tail))
      tail = placed.at(-1)!.tail
    }
    return placed
  }

  private originDraft({ seq, hash }: ChainHead): PartDraft {
    const id = createId("prt", this.now)
    const text = recordJson({ id, sessionId: this.id, origin: { session: this.origin, seq, hash }, at: this.now })
    return this.draft({ id, type: forkType, text, at: this.now })
  }

  /** What the call did stays with the origin: it is undone there, and only once. */
  private callDraft(row: PartRow): PartDraft {
    const call = rowToCall(row)
    const ended = call.envelope ? call : endedByCrash(call, this.now)
    const text = this.renamed(recordJson({ ...ended, effects: [] }))
    const copy = { ...(JSON.parse(text) as CallRecord), id: createId("prt", this.now), copyOf: call.callId }
    return { ...callDraft(copy, recordJson(copy)), synced: true }
  }

  /** Notes about effects and about the origin of the origin are left out. */
  private async turnDraft(row: PartRow): Promise<PartDraft | undefined> {
    const record = recordOf(row)
    if (!record || record.kind === "rewind") return undefined
    const id = createId("prt", this.now)
    const stored = { ...(JSON.parse(splitLink(row.data_json).text) as Record<string, unknown>), id }
    const blob = Object.fromEntries(
      await Promise.all(
        Object.entries((stored as { blob?: Record<string, ReturnType<typeof blobsOf>[number]> }).blob ?? {}).map(
          async ([field, reference]) => {
            const value = this.renamed(await this.blobs.read(this.origin, reference))
            return [field, await this.blobs.write(this.id, value)] as const
          },
        ),
      ),
    )
    const text = this.renamed(recordJson(stored))
    const outlined = "blob" in stored ? recordJson({ ...(JSON.parse(text) as object), blob }) : text
    const isMessage = record.kind === "start"
    return this.draft({ id, type: row.type, text: outlined, at: record.at, turnId: record.turnId, isMessage })
  }

  /** The turn in whose middle the session was forked does not go on. */
  private endDraft(turnId: string): PartDraft {
    const id = createId("prt", this.now)
    const result = { state: "aborted", reason: "the session was forked in the middle of this turn" }
    const text = recordJson({ id, sessionId: this.id, turnId, at: this.now, kind: "end", result })
    return this.draft({ id, type: `${turnTypes}end`, text, at: this.now, turnId })
  }

  private draft({ id, type, text, at, turnId, isMessage = false }: TextDraft): PartDraft {
    return {
      id,
      type,
      text,
      sessionId: this.id,
      callId: null,
      state: null,
      chained: true,
      synced: true,
      createdAt: at,
      updatedAt: at,
      ...(turnId !== undefined && { turnId }),
      ...(isMessage && { role: "user" as const }),
    }
  }

  /** Ids are made of letters, digits and underscores, and cannot be guessed: what looks like one is one. */
  private renamed(text: string): string {
    return text.replace(/(?:call|ses)_\w+/g, (id) => this.ids.get(id) ?? id)
  }
}

interface TextDraft {
  readonly id: string
  readonly type: string
  readonly text: string
  readonly at: number
  readonly turnId?: string
  readonly isMessage?: boolean
}

interface ForkedSession {
  readonly id: string
  readonly metadata: ForkOptions["metadata"]
  readonly placed: readonly PlacedPart[]
  readonly now: number
  readonly at: string | undefined
}

/** The row of the copy: the agent, the folders and the notes of the origin, without its rules and its owner. */
function sessionOf(origin: SessionRow, { id, metadata: own, placed, now, at }: ForkedSession): SessionRow {
  const {
    owner: _owner,
    chain: _chain,
    parent: _parent,
    call: _call,
    depth: _depth,
    ...kept
  } = parseMetadata(origin.metadata_json)
  const title = typeof kept.title === "string" ? { title: `${kept.title} (copy)` } : {}
  const forkedFrom = { session: origin.id, ...(at !== undefined && { at }) }
  const chain = placed.at(-1)!.tail.head
  const steps = placed.filter(({ row }) => row.type === `${turnTypes}step`)
  return {
    ...origin,
    ...sumsOf(sumOfUsages(steps.map(({ row }) => ({ usage: storedUsage(row) }))) ?? noUsage),
    id,
    parent_id: null,
    parent_message_id: null,
    permissions_json: "[]",
    metadata_json: JSON.stringify({ ...kept, ...title, ...own, forkedFrom, chain }),
    created_at: now,
    updated_at: now,
    archived_at: null,
  }
}
