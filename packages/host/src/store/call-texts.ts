import type { CallRecord } from "@haft/contract"
import type { Redactor } from "../redact/index.js"
import { recordJson } from "./record-json.js"

/** Writes the records of calls as JSON, redacted. */
export interface CallTexts {
  /** The text of a call that has not ended. What was judged is kept until the call settles, so that it is written once. */
  begin(record: CallRecord): string
  /** The text of a call that has ended, begun or not. */
  settle(record: CallRecord): string
}

/** Makes the writer of one journal. */
export function createCallTexts(redact: Redactor): CallTexts {
  const begun = new Map<string, Begun>()

  return {
    begin(record) {
      const text = recordJson(record)
      if (redact.suspects?.(text) !== false) return redactedText(record, redact)
      const end = `,"effects":[],"startedAt":${record.startedAt},"endedAt":null}`
      if (text.endsWith(end)) begun.set(record.id, { record, judged: text.slice(0, -end.length) })
      return text
    },
    settle(record) {
      const open = begun.get(record.id)
      if (!open) return redactedText(record, redact)
      begun.delete(record.id)
      return finishedText(open, record, redact) ?? redactedText(record, redact)
    },
  }
}

/** An open call, and the text of all that was judged, in which there is nothing to hide; its last brace is missing. */
interface Begun {
  readonly record: CallRecord
  readonly judged: string
}

/** The text of a begun call with its end; undefined when more than the end is new, or when the end may hold a secret. */
function finishedText({ record: begun, judged }: Begun, record: CallRecord, redact: Redactor): string | undefined {
  if (!judgedTheSame(begun, record)) return undefined
  const { effects, envelope, state, startedAt, endedAt } = record
  const end = recordJson({ effects, envelope, state, startedAt, endedAt })
  // Every name and every string is whole in one of the two texts, so that a look at each is a look at all.
  return redact.suspects?.(end) === false ? `${judged},${end.slice(1)}` : undefined
}

/** By identity: what was judged is not changed while the tool works. */
function judgedTheSame(one: CallRecord, other: CallRecord): boolean {
  return (
    one.ladder === other.ladder &&
    one.answers === other.answers &&
    one.arguments === other.arguments &&
    one.rawArguments === other.rawArguments &&
    one.argumentsHash === other.argumentsHash &&
    one.callId === other.callId &&
    one.sessionId === other.sessionId &&
    one.tool === other.tool &&
    one.name === other.name
  )
}

function redactedText(record: CallRecord, redact: Redactor): string {
  const text = recordJson(record)
  // The text is needed anyway, and one quick look at it spares most records the walk through their strings.
  if (redact.suspects?.(text) === false) return text
  const redacted = redact(record)
  return redacted === record ? text : recordJson(redacted)
}
