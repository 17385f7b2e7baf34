import type { BeatenRule, CallRecord, DecidingRule, Envelope, Finding, Ladder, Rung } from "@haft/contract"

/**
 * A call as the journal keeps it: the ladder by places instead of names, and ids that the record has already as 0. A ladder is
 * most of a small record, and every byte of it is checked for secrets, hashed, written and synced (bench: durable-turn).
 */
export type PackedCall = Omit<CallRecord, "ladder"> & { readonly ladder: PackedLadder }

/** A text, or its number in `words`. */
type Word = string | number
type PackedLadder = readonly [
  verdict: Word,
  reason: Word,
  rungs: readonly PackedRung[],
  findings: readonly PackedFinding[],
  more?: Pick<Ladder, "remedy" | "flag">,
]
type PackedRung = readonly [rung: Word, verdict: Word, reason: Word, ms: number, rule?: string | null, source?: Word]
type PackedFinding = readonly [
  permission: Word,
  subject: Word,
  verdict: Word,
  decided: PackedDecision | null,
  ...beaten: PackedBeaten[],
]
type PackedDecision = readonly [
  rule: DecidingRule["rule"],
  text: Word,
  specificity: number,
  authority: number,
  source: Word,
  final: 0 | 1,
]
type PackedBeaten = readonly [text: Word, specificity: number, authority: number, source: Word, because: Word]

/** Stored records name these by their number: the list only grows at its end. */
const words = [
  ...["pass", "allow", "deny", "ask", "skipped", "silent"],
  ...["schema", "capability", "manifest", "rules", "watchdog", "hooks", "mode", "person", "sandbox"],
  ...["defaults", "project", "local", "user", "session", "flag", "managed"],
  ...["fs.read", "fs.write", "process", "network", "its arguments"],
  "the arguments fit",
  "every effect is inside the declared and the granted scope",
  "no deny of the manifest",
  "no detector objects",
  "the rules allow it",
] as const
const numbers: ReadonlyMap<string, number> = new Map(words.map((word, number) => [word, number]))

const pack = (text: string): Word => numbers.get(text) ?? text
const unpack = <Text extends string>(word: Word): Text => (typeof word === "number" ? words[word] : word) as Text

/** The fields stay in their order, so that a begun call has the beginning of the text that it has when it is settled. */
export function packCall(record: CallRecord): PackedCall {
  const packed = { ...record, ladder: packLadder(record.ladder) }
  return record.envelope ? { ...packed, envelope: packEnvelope(record) } : packed
}

/** The envelope of a packed call. */
export function packEnvelope({ envelope, callId, sessionId }: CallRecord): Envelope | undefined {
  return envelope && replaceIds(envelope, [callId, sessionId], [0, 0])
}

/** The record behind a stored one. Those of earlier versions have their ladder by names; what is imported may be anything. */
export function unpackCall(stored: CallRecord | PackedCall): CallRecord {
  const { ladder, envelope, callId, sessionId } = stored
  if (!Array.isArray(ladder)) return stored as CallRecord
  const record = { ...stored, ladder: unpackLadder(ladder as unknown as PackedLadder) }
  return envelope ? { ...record, envelope: replaceIds(envelope, [0, 0], [callId, sessionId]) } : record
}

function packLadder({ verdict, reason, rungs, findings, ...more }: Ladder): PackedLadder {
  const packed = [pack(verdict), pack(reason), rungs.map(packRung), findings.map(packFinding)] as const
  return more.remedy === undefined && more.flag === undefined ? packed : [...packed, more]
}

function unpackLadder([verdict, reason, rungs, findings, more]: PackedLadder): Ladder {
  return {
    verdict: unpack<Ladder["verdict"]>(verdict),
    reason: unpack(reason),
    rungs: lists(rungs).map(unpackRung),
    findings: lists(findings).map(unpackFinding),
    ...more,
  }
}

function packRung({ rung, verdict, reason, ms, rule, source }: Rung): PackedRung {
  const packed = [pack(rung), pack(verdict), pack(reason), ms] as const
  if (source !== undefined) return [...packed, rule ?? null, pack(source)]
  return rule === undefined ? packed : [...packed, rule]
}

function unpackRung([rung, verdict, reason, ms, rule, source]: PackedRung): Rung {
  return {
    rung: unpack<Rung["rung"]>(rung),
    verdict: unpack<Rung["verdict"]>(verdict),
    reason: unpack(reason),
    ...(typeof rule === "string" && { rule }),
    ...(source !== undefined && { source: unpack(source) }),
    ms,
  }
}

function packFinding({ permission, subject, verdict, decided, beaten }: Finding): PackedFinding {
  const decision = decided ? packDecision(decided) : null
  return [pack(permission), pack(subject), pack(verdict), decision, ...beaten.map(packBeaten)]
}

function unpackFinding([permission, subject, verdict, decided, ...beaten]: PackedFinding): Finding {
  return {
    permission: unpack(permission),
    subject: unpack(subject),
    verdict: unpack<Finding["verdict"]>(verdict),
    ...(Array.isArray(decided) && { decided: unpackDecision(decided as unknown as PackedDecision) }),
    beaten: lists(beaten).map(unpackBeaten),
  }
}

function packDecision({ rule, text, specificity, authority, source, final }: DecidingRule): PackedDecision {
  return [rule, pack(text), specificity, authority, pack(source), final ? 1 : 0]
}

function unpackDecision([rule, text, specificity, authority, source, final]: PackedDecision): DecidingRule {
  return { rule, text: unpack(text), specificity, authority, source: unpack(source), final: final === 1 }
}

function packBeaten({ text, specificity, authority, source, because }: BeatenRule): PackedBeaten {
  return [pack(text), specificity, authority, pack(source), pack(because)]
}

function unpackBeaten([text, specificity, authority, source, because]: PackedBeaten): BeatenRule {
  return { text: unpack(text), specificity, authority, source: unpack(source), because: unpack(because) }
}

/** The lists in a list; anything else is no part of a ladder. */
function lists<Item extends readonly unknown[]>(value: readonly Item[]): readonly Item[] {
  return Array.isArray(value) ? (value as readonly Item[]).filter((item) => Array.isArray(item)) : []
}

type Ids = readonly [call: unknown, session: unknown]

/** The envelope with other ids at the same places, if it has these. */
function replaceIds(envelope: Envelope, [call, session]: Ids, [call_id, session_id]: Ids): Envelope {
  const { metadata } = envelope
  if (metadata?.call_id !== call || metadata.session_id !== session) return envelope
  return { ...envelope, metadata: { ...metadata, call_id, session_id } } as Envelope
}
