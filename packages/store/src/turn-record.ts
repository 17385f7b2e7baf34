import { type Json, ToolError, type TurnRecord, type Usage, usageOf } from "@haft/contract"
import type { Kysely } from "kysely"
import type { BlobReference, Blobs } from "./blobs.js"
import { type PartDraft, recordJson, redactedText, splitLink } from "./call-record.js"
import { createId } from "./create-id.js"
import type { Redactor } from "./redact/create-redactor.js"
import type { PartRow, Tables } from "./schema/tables.js"

/** Types of the parts that hold records of turns; what a user sends as text is a part of type text. */
export const turnTypes = "data-turn-"

/** A value with more characters than this, as JSON, is kept beside the journal. */
const mostInline = 256 * 1024
/** No record is larger, whatever it is made of. */
const mostBytes = 1024 * 1024

/** Writes records of turns as parts and reads them back. */
export class TurnRecords {
  private readonly redact: Redactor
  private readonly blobs: Blobs
  private readonly append: (draft: PartDraft) => Promise<void>
  /** By session: the last record that waits for a blob, so that those after it wait as well. */
  private readonly waiting = new Map<string, Promise<unknown>>()

  constructor(options: {
    readonly redact: Redactor
    readonly blobs: Blobs
    readonly append: (draft: PartDraft) => Promise<void>
  }) {
    this.redact = options.redact
    this.blobs = options.blobs
    this.append = options.append
  }

  write(record: TurnRecord, synced: boolean): Promise<void> {
    const id = createId("prt", record.at)
    const { type, body } = contentOf(record)
    const text = redactedText({ id, ...body }, this.redact)
    const before = this.waiting.get(record.sessionId)
    if (text.length <= mostInline && !before) return this.append(draftOf(record, { id, type, text, synced }))
    return this.writeAfter(before, record, { id, type, text, synced })
  }

  private writeAfter(before: Promise<unknown> | undefined, record: TurnRecord, part: TurnPart): Promise<void> {
    const ready = this.outlined(record.sessionId, part)
    const turn = Promise.allSettled([before, ready])
    this.waiting.set(record.sessionId, turn)
    // The part is appended in the same moment in which the next one is let go, which keeps the order.
    const written = turn.then(async ([, text]) => {
      if (this.waiting.get(record.sessionId) === turn) this.waiting.delete(record.sessionId)
      if (text.status === "rejected") throw text.reason
      return this.append(draftOf(record, { ...part, text: text.value }))
    })
    return written
  }

  /** The text of a part in which a large value is a reference. */
  private async outlined(sessionId: string, { id, text }: TurnPart): Promise<string> {
    if (text.length <= mostInline) return text
    const content = JSON.parse(text) as Record<string, Json>
    const large = largeFields.filter((field) => content[field] !== undefined)
    const blob: Record<string, BlobReference> = {}
    for (const field of large) {
      const value = JSON.stringify(content[field])
      if (value.length <= smallField) continue
      blob[field] = await this.blobs.write(sessionId, value)
      delete content[field]
    }
    const usage = usageOf(JSON.parse(text) as TurnRecord)
    const outline = recordJson({ ...content, blob, ...(usage && { usage }) })
    if (Buffer.byteLength(outline) <= mostBytes) return outline
    throw new ToolError("too_large", `Cannot record part "${id}": what is left beside its value is more than 1 MiB`)
  }

  /** The records of a session in order; of imported sessions too. */
  async read(
    db: Kysely<Tables>,
    sessionId: string,
    { from = 0, limit }: { readonly from?: number; readonly limit?: number } = {},
  ): Promise<readonly TurnRecord[]> {
    const rows = await db
      .selectFrom("chat_parts")
      .select(["data_json"])
      .where("session_id", "=", sessionId)
      .where((part) =>
        part.or([
          part("type", "like", `${turnTypes}%`),
          part.and([part("type", "=", "text"), part("data_json", "like", '%"turnId":%')]),
        ]),
      )
      .orderBy("index")
      .limit(limit ?? Number.MAX_SAFE_INTEGER)
      .offset(from)
      .execute()
    const records: TurnRecord[] = []
    for (const row of rows) records.push(await this.recordOf(row))
    return records
  }

  async recordOf(row: Pick<PartRow, "data_json">): Promise<TurnRecord> {
    const { id: _id, blob, ...stored } = JSON.parse(splitLink(row.data_json).text) as StoredRecord
    if (!blob) return inputWhole(stored)
    const { usage: _usage, ...body } = stored
    for (const [field, reference] of Object.entries(blob)) {
      body[field] = JSON.parse(await this.blobs.read(body.sessionId, reference))
    }
    return inputWhole(body)
  }
}

/** A record on its way into the journal. */
interface TurnPart {
  readonly id: string
  readonly type: string
  readonly text: string
  readonly synced: boolean
}

type StoredRecord = Record<string, Json> & {
  readonly id: string
  readonly sessionId: string
  readonly blob?: Readonly<Record<string, BlobReference>>
}

/** The fields of records that hold what tools, models and people say. */
const largeFields = ["input", "text", "value", "ask", "result", "error"]
const smallField = 16 * 1024

function draftOf(record: TurnRecord, { id, type, text, synced }: TurnPart): PartDraft {
  const { kind, sessionId, turnId, at } = record
  const draft: PartDraft = {
    id,
    sessionId,
    type,
    callId: null,
    state: null,
    text,
    turnId,
    chained: true,
    synced,
    usage: usageOf(record),
    createdAt: at,
    updatedAt: at,
  }
  return kind === "start" ? { ...draft, role: "user" } : draft
}

/** What a user says is the text of a text part, as everybody reads it; what came with it stays in `input`. */
function contentOf(record: TurnRecord): { readonly type: string; readonly body: object } {
  if (record.kind !== "start") return { type: `${turnTypes}${record.kind}`, body: record }
  const { input, ...rest } = record
  if (typeof input === "string") return { type: "text", body: { ...rest, text: input } }
  if (typeof input !== "object" || input === null || !("text" in input) || typeof input.text !== "string") {
    return { type: `${turnTypes}start`, body: record }
  }
  const { text, ...more } = input
  return { type: "text", body: { ...rest, text, input: more } }
}

function inputWhole({ text, ...record }: Record<string, Json>): TurnRecord {
  if (text === undefined) return record as unknown as TurnRecord
  const more = record.input as Readonly<Record<string, Json>> | undefined
  return { ...record, input: more ? { text, ...more } : text } as unknown as TurnRecord
}

/** What the part of a step says that a model used for it; of a large value it is kept beside the reference. */
export function storedUsage({ data_json }: Pick<PartRow, "data_json">): Usage | undefined {
  const record = JSON.parse(splitLink(data_json).text) as TurnRecord & { readonly usage?: Usage }
  return usageOf(record) ?? record.usage
}

/** Whether a part holds a record of a turn. */
export function isTurnPart({ type, data_json }: Pick<PartRow, "type" | "data_json">): boolean {
  return type.startsWith(turnTypes) || (type === "text" && data_json.includes('"turnId":'))
}

/** The blobs that a part refers to. */
export function blobsOf(record: Readonly<Record<string, unknown>>): readonly BlobReference[] {
  return Object.values((record.blob ?? {}) as Readonly<Record<string, BlobReference>>)
}
