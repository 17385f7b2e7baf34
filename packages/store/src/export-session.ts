import type { Kysely } from "kysely"
import type { Blobs } from "./blobs.js"
import { recordJson } from "./call-record.js"
import { readMessages, readParts } from "./read-parts.js"
import type { Redactor } from "./redact/create-redactor.js"
import { missing } from "./refusal.js"
import type { MessageRow, PartRow, SessionRow, Tables } from "./schema/tables.js"
import { blobsOf } from "./turn-record.js"

/** A row in an export: `*_json` columns become values without the suffix. */
export type Exported<Row> = {
  readonly [Key in keyof Row as Key extends `${infer Name}_json` ? Name : Key]: Key extends `${string}_json`
    ? unknown
    : Row[Key]
}

export type ExportLine =
  | { readonly type: "session"; readonly session: Exported<SessionRow> }
  | { readonly type: "message"; readonly message: Exported<MessageRow> }
  | { readonly type: "part"; readonly part: Exported<PartRow> }
  /** A value of the part before that is too large for the journal. */
  | { readonly type: "blob"; readonly blob: { readonly sha256: string; readonly value: unknown } }

/**
 * Writes a session as lines of JSON: the session, then each message followed by its parts. Secrets that became known
 * after a record was written are hidden here too; such a record then differs from its hash, as it should.
 */
export async function* exportSession(
  db: Kysely<Tables>,
  sessionId: string,
  { redact, blobs }: { readonly redact: Redactor; readonly blobs: Blobs },
): AsyncGenerator<string> {
  const session = await db.selectFrom("chat_sessions").selectAll().where("id", "=", sessionId).executeTakeFirst()
  if (!session) throw missing("export", sessionId)
  yield line({ type: "session", session: sessionOut(session) })
  for (const message of await readMessages(db, sessionId)) {
    yield line({ type: "message", message: valuesOf(message) })
    for await (const row of readParts(db, message.id)) {
      const part = valuesOf(row)
      yield line({ type: "part", part })
      for (const reference of blobsOf(part.data as Readonly<Record<string, unknown>>)) {
        const value = parsed(await blobs.read(sessionId, reference))
        yield line({ type: "blob", blob: { sha256: reference.sha256, value } })
      }
    }
  }

  function line(content: ExportLine): string {
    const text = recordJson(content)
    return redact.suspects?.(text) === false ? text : recordJson(redact(content))
  }
}

function sessionOut(row: SessionRow): Exported<SessionRow> {
  const { metadata, ...rest } = valuesOf(row)
  const { owner: _owner, ...own } = metadata as Record<string, unknown>
  return { ...rest, metadata: own }
}

function valuesOf<Row extends object>(row: Row): Exported<Row> {
  const entries = Object.entries(row).map(([key, value]) =>
    key.endsWith("_json") ? [key.slice(0, -"_json".length), parsed(value as string)] : [key, value],
  )
  return Object.fromEntries(entries) as Exported<Row>
}

/** Damaged text is exported as text: an export must not fail on what verify reports. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
