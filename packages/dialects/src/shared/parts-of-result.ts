import type { ErrorCode, ToolResult } from "@haft/contract"

/** The data of a call that gave an output, as its tool's schema promises it; an empty object for one that failed. */
export function dataOf<Data>({ envelope }: ToolResult): Data {
  return (envelope.type === "output" ? envelope.data : {}) as Data
}

/** What the model reads, as one text; empty when there is none. Each part begins on a line of its own. */
export function textOf(result: ToolResult): string {
  const parts = result.content.flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : []))
  return parts.reduce((said, part) => (said === "" || said.endsWith("\n") ? said + part : `${said}\n${part}`), "")
}

/** A text of a dialect's own with what the call says about arguments that it left out. */
export function withNotes(words: string, { envelope }: ToolResult): string {
  const notes = (envelope?.metadata?.notes ?? []).map((note) => `[Note: ${note}]`)
  const missing = notes.filter((note) => !words.includes(note))
  return missing.length === 0 ? words : [words.replace(/\n$/, ""), ...missing].join("\n")
}

/** A failure in parts. */
export interface Failure {
  readonly code: ErrorCode
  readonly message: string
  readonly hint?: string
  readonly details?: unknown
}

/** Why a call failed; undefined for one that gave an output. */
export function failureOf({ envelope }: ToolResult): Failure | undefined {
  if (envelope.type !== "error") return undefined
  const { error_code: code = "internal", hint, details } = envelope.metadata
  return {
    code,
    message: envelope.error_text,
    ...(hint !== undefined && { hint }),
    ...(details !== undefined && { details }),
  }
}

/** The members of an object that are there; the others would override defaults. */
export function given<Members extends object>(members: Members): Partial<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<Members>
}
