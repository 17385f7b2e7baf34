import { ToolError } from "@haft/contract"
import type { Blobs } from "./blobs.js"
import { recordJson } from "./call-record.js"
import { Clash, type Driver } from "./driver/driver.js"
import type { Redactor } from "./redact/create-redactor.js"
import type { MessageRow, PartRow, SessionRow } from "./schema/tables.js"

/** Takes in an exported session in one transaction. It keeps its ids and its chain, and brings no permissions. */
export async function importSession(
  driver: Driver,
  lines: Iterable<string> | AsyncIterable<string>,
  { redact, blobs }: { readonly redact: Redactor; readonly blobs: Blobs },
): Promise<string> {
  // Read first: a slow source must not hold the write lock.
  const rows = await readLines(lines, redact)
  try {
    await driver.transaction(async (db) => {
      await db.insertInto("chat_sessions").values(rows.session).execute()
      for (const message of rows.messages) await db.insertInto("chat_messages").values(message).execute()
      for (const part of rows.parts) await db.insertInto("chat_parts").values(part).execute()
    })
  } catch (error) {
    if (!(error instanceof Clash)) throw error
    throw new ToolError(
      "conflict",
      `Cannot import session "${rows.session.id}": the journal holds it, or one of its ids, already; remove that session first`,
      { cause: error },
    )
  }
  for (const value of rows.values) await blobs.write(rows.session.id, value)
  return rows.session.id
}

interface Rows {
  readonly session: SessionRow
  readonly messages: readonly MessageRow[]
  readonly parts: readonly PartRow[]
  /** Large values as JSON. */
  readonly values: readonly string[]
}

async function readLines(lines: Iterable<string> | AsyncIterable<string>, redact: Redactor): Promise<Rows> {
  let session: SessionRow | undefined
  const messages: MessageRow[] = []
  const parts: PartRow[] = []
  const values: string[] = []
  let number = 0
  for await (const text of lines) {
    number++
    if (text.trim() === "") continue
    const fields = fieldsOf(text, number)
    const { type, body } = fields
    if (type === "session" && !session) session = sessionRow(redact(body), fields)
    else if (type === "message" && session) messages.push(messageRow(redact(body), fields, session.id))
    else if (type === "part" && session) parts.push(partRow(redact(body), fields, session.id))
    // A value that is not the one that its part names is found by verify, as a changed part is.
    else if (type === "blob" && session) values.push(recordJson(redact(body).value ?? null))
    else throw malformed(number, `a line of type "${type}" cannot be here`)
  }
  if (!session) throw malformed(number, "there is no line of type session")
  return { session, messages, parts: numbered(parts), values }
}

/** Other systems number the parts of each message from 0; here the numbers count through the session. */
function numbered(parts: readonly PartRow[]): readonly PartRow[] {
  const isUnique = new Set(parts.map(({ index }) => index)).size === parts.length
  return isUnique ? parts : parts.map((part, index) => ({ ...part, index }))
}

type Body = Readonly<Record<string, unknown>>

interface Fields {
  readonly type: string
  readonly body: Body
  readonly text: (key: string) => string
  readonly textOrNull: (key: string) => string | null
  readonly count: (key: string) => number
}

function sessionRow(body: Body, { text, textOrNull, count }: Fields): SessionRow {
  const { owner: _owner, ...metadata } = (body.metadata ?? {}) as Record<string, unknown>
  return {
    id: text("id"),
    agent: text("agent"),
    workspace_root: textOrNull("workspace_root"),
    model_json: recordJson(body.model ?? {}),
    parent_id: textOrNull("parent_id"),
    parent_message_id: textOrNull("parent_message_id"),
    // A file mints no authority.
    permissions_json: "[]",
    metadata_json: recordJson({ ...metadata, imported: true }),
    prompt_tokens: count("prompt_tokens"),
    completion_tokens: count("completion_tokens"),
    reasoning_tokens: count("reasoning_tokens"),
    cache_read: count("cache_read"),
    cache_write: count("cache_write"),
    total_tokens: count("total_tokens"),
    cost_usd: count("cost_usd"),
    created_at: count("created_at"),
    updated_at: count("updated_at"),
    archived_at: body.archived_at == null ? null : count("archived_at"),
  }
}

function messageRow(body: Body, { text, count }: Fields, sessionId: string): MessageRow {
  return {
    id: text("id"),
    session_id: sessionId,
    role: text("role") as MessageRow["role"],
    metadata_json: recordJson(body.metadata ?? {}),
    created_at: count("created_at"),
    updated_at: count("updated_at"),
  }
}

function partRow(body: Body, { text, textOrNull, count }: Fields, sessionId: string): PartRow {
  return {
    id: text("id"),
    message_id: text("message_id"),
    session_id: sessionId,
    index: count("index"),
    type: text("type"),
    data_json: typeof body.data === "string" ? body.data : recordJson(body.data),
    tool_call_id: textOrNull("tool_call_id"),
    tool_state: textOrNull("tool_state") as PartRow["tool_state"],
    created_at: count("created_at"),
    updated_at: count("updated_at"),
  }
}

function fieldsOf(text: string, line: number): Fields {
  const content = objectOf(parse(text, line))
  const type = typeof content?.type === "string" ? content.type : ""
  const body = objectOf(content?.[type])
  if (!body) throw malformed(line, "it must be an object with a type of session, message, part or blob")
  const expect = <Value>(key: string, what: string, fits: (value: unknown) => value is Value): Value => {
    const value = body[key]
    if (fits(value)) return value
    throw malformed(line, `"${key}" must be ${what}`)
  }
  return {
    type,
    body,
    text: (key) => expect(key, "a text", isText),
    textOrNull: (key) => (body[key] == null ? null : expect(key, "a text", isText)),
    count: (key) => expect(key, "a number", isNumber),
  }
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed(line, "it is not JSON")
  }
}

// PostgreSQL text cannot hold NUL, and no id or name has one.
const isText = (value: unknown): value is string => typeof value === "string" && !value.includes("\0")
const isNumber = (value: unknown): value is number => typeof value === "number"

function objectOf(value: unknown): Body | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Body) : undefined
}

function malformed(line: number, reason: string): ToolError {
  return new ToolError(
    "invalid_args",
    `Cannot import line ${line}: ${reason}; give lines as \`haft session export\` writes them`,
  )
}
