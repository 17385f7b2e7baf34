import { noUsage, type PlacedRule, type RuleSource, type SessionRecord } from "@haft/contract"
import type { Kysely } from "kysely"
import { readTail } from "./append-parts.js"
import type { Redactor } from "./redact/create-redactor.js"
import type { SessionRow, Tables } from "./schema/tables.js"
import { parseMetadata, reservedMetadata } from "./session-metadata.js"
import { sumsOf, sumsToUsage } from "./usage-sums.js"

/** A session as its row, redacted. */
export function sessionToRow(record: SessionRecord, redact: Redactor): SessionRow {
  const { chain: _chain, owner: _owner, ...own } = record.metadata
  return {
    id: record.id,
    agent: record.agent,
    workspace_root: record.workspaceRoot,
    model_json: "{}",
    parent_id: record.parentId ?? null,
    parent_message_id: null,
    permissions_json: permissionsToJson(record.permissions, redact),
    metadata_json: JSON.stringify({ ...redact(own), roots: record.roots, directory: record.directory }),
    ...sumsOf(record.usage ?? noUsage),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    archived_at: record.archivedAt,
  }
}

/** A child names the message of its parent that it was started from: the last one. Fails with a clash where the id is taken. */
export async function insertSession(db: Kysely<Tables>, row: SessionRow): Promise<void> {
  const message = row.parent_id === null ? undefined : (await readTail(db, row.parent_id)).message
  await db
    .insertInto("chat_sessions")
    .values({ ...row, parent_message_id: message?.id ?? null })
    .execute()
}

export function rowToSession(row: SessionRow): SessionRecord {
  const metadata = parseMetadata(row.metadata_json)
  const own = Object.entries(metadata).filter(([key]) => !reservedMetadata.includes(key as never))
  return {
    id: row.id,
    agent: row.agent,
    workspaceRoot: row.workspace_root,
    ...(row.parent_id !== null && { parentId: row.parent_id }),
    ...(row.parent_message_id !== null && { parentMessageId: row.parent_message_id }),
    roots: metadata.roots,
    directory: metadata.directory,
    permissions: jsonToPermissions(row.permissions_json),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
    ...(row.total_tokens > 0 && { usage: sumsToUsage(row) }),
    metadata: Object.fromEntries(own),
  }
}

/** Rules of session scope as `permissions_json`; rules of other scopes are left out, they live elsewhere. */
export function permissionsToJson(rules: readonly PlacedRule[], redact: Redactor): string {
  const own = rules.filter((rule) => rule.source.scope === "session")
  return JSON.stringify(
    redact(own).map(({ permission, pattern, action, source, ...rest }) => ({
      permission,
      pattern: pattern ?? "*",
      action,
      source: source.scope,
      ...rest,
      ...(source.file === undefined ? {} : { source_file: source.file }),
      ...(source.line === undefined ? {} : { source_line: source.line }),
    })),
  )
}

function jsonToPermissions(text: string): readonly PlacedRule[] {
  const rules = JSON.parse(text) as readonly (Omit<PlacedRule, "source"> & StoredSource)[]
  return rules.map(({ source, source_file: file, source_line: line, ...rule }) => ({
    ...rule,
    source: { scope: source, ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) },
  }))
}

interface StoredSource {
  readonly source: RuleSource["scope"]
  readonly source_file?: string
  readonly source_line?: number
}
