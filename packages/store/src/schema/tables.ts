/** A row of `chat_sessions`. Times are milliseconds since 1970; `*_json` columns hold JSON text. */
export interface SessionRow {
  readonly id: string
  readonly agent: string
  readonly workspace_root: string | null
  readonly model_json: string
  readonly parent_id: string | null
  readonly parent_message_id: string | null
  readonly permissions_json: string
  readonly metadata_json: string
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly reasoning_tokens: number
  readonly cache_read: number
  readonly cache_write: number
  readonly total_tokens: number
  /** A cache: cost is derived from the messages. */
  readonly cost_usd: number
  readonly created_at: number
  readonly updated_at: number
  readonly archived_at: number | null
}

/** A row of `chat_messages`. */
export interface MessageRow {
  readonly id: string
  readonly session_id: string
  readonly role: "user" | "assistant" | "system"
  readonly metadata_json: string
  readonly created_at: number
  readonly updated_at: number
}

/** How far the tool part has come. */
export type ToolState = "input-available" | "output-available" | "output-error"

/** A row of `chat_parts`. */
export interface PartRow {
  readonly id: string
  readonly message_id: string
  readonly session_id: string
  readonly index: number
  readonly type: string
  readonly data_json: string
  readonly tool_call_id: string | null
  readonly tool_state: ToolState | null
  readonly created_at: number
  readonly updated_at: number
}

/** The tables of the journal, as the query builder sees them. */
export interface Tables {
  readonly chat_sessions: SessionRow
  readonly chat_messages: MessageRow
  readonly chat_parts: PartRow
}
