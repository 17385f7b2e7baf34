import type { CallView, ToolKind } from "@haft/contract"
import type { Entry, SessionStore } from "../../session/session-store.js"

/** A row of a conversation: one entry, or several calls that only looked around. */
export type Row = Entry | { readonly kind: "explored"; readonly key: string; readonly calls: readonly CallView[] }

/** The rows of a conversation: consecutive calls that read or searched, and ended well, become one. */
export function rowsOf(store: SessionStore, kindOf: (tool: string) => ToolKind | undefined): readonly Row[] {
  const rows: Row[] = []
  let quiet: CallView[] = []
  const close = () => {
    if (quiet.length > 1) rows.push({ kind: "explored", key: `explored:${quiet[0]!.id}`, calls: quiet })
    else for (const { id } of quiet) rows.push({ kind: "call", key: `call:${id}`, call: id })
    quiet = []
  }
  for (const entry of store.entries) {
    const call = entry.kind === "call" ? store.calls.get(entry.call) : undefined
    const kind = call && kindOf(call.tool)
    if (call?.phase === "ok" && (kind === "read" || kind === "search")) {
      quiet.push(call)
      continue
    }
    close()
    rows.push(entry)
  }
  close()
  return rows
}
