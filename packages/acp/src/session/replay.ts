import type { SessionUpdate } from "@agentclientprotocol/sdk/unstable"
import type { TurnReply } from "@haft/agent"
import type { CallRecord, TurnInput, TurnRecord } from "@haft/contract"

/** The updates that an editor gets for one recorded reply or call, and the name it is known by from then on. */
export interface Replayed {
  readonly key: string
  readonly updates: readonly (SessionUpdate | CallRecord)[]
}

/** The recorded turns of a session, in order: what people wrote, what the model said, and its calls that have ended. */
export function* replayed({
  turns,
  calls,
}: {
  readonly turns: readonly TurnRecord[]
  readonly calls: readonly CallRecord[]
}): Generator<Replayed> {
  const ended = new Map(calls.flatMap((call) => (call.envelope ? [[call.callId, call] as const] : [])))
  for (const record of turns) {
    if (record.kind === "start") yield { key: record.turnId, updates: said(record) }
    if (record.kind !== "step" || !record.key.startsWith("reply:")) continue
    const replied = record.value as unknown as { readonly ok: boolean } & TurnReply
    if (!replied.ok) continue
    const key = `${record.turnId}/${record.key.slice("reply:".length)}`
    yield { key, updates: replied.reply.parts.flatMap((part) => (part.type === "tool-call" ? [] : [chunk(part, key)])) }
    for (const { id } of replied.calls) {
      const call = ended.get(id)
      if (call) yield { key: id, updates: [call] }
    }
  }
}

function said({ input, turnId }: Extract<TurnRecord, { kind: "start" }>): readonly SessionUpdate[] {
  const { text, files = [], trigger } = input as unknown as TurnInput
  // What a background agent reports was never typed by anybody.
  if (trigger !== undefined) return []
  const names = files.map(({ name }) => `[${name}]`)
  const words = [text, ...names].filter((part) => part !== "").join("\n")
  return [{ sessionUpdate: "user_message_chunk", messageId: turnId, content: { type: "text", text: words } }]
}

function chunk(part: { readonly type: "text" | "reasoning"; readonly text: string }, key: string): SessionUpdate {
  const content = { type: "text" as const, text: part.text }
  return part.type === "text"
    ? { sessionUpdate: "agent_message_chunk", messageId: key, content }
    : { sessionUpdate: "agent_thought_chunk", messageId: `${key}/reasoning`, content }
}
