import type { CallRecord, TurnRecord } from "@haft/contract"
import { sessionNamed } from "../../library/branch-session.js"
import { styleFor } from "../../terminal/style.js"
import { endLines, TurnView } from "../../terminal/turn-view.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import type { Invocation } from "../invocation.js"
import type { Io } from "../io.js"
import { printRows } from "../print.js"
import { RunScreen } from "../run.js"
import { callText } from "./call-text.js"
import { withStore } from "./with-store.js"

/**
 * `haft session replay`: the turns of an agent as `haft run` printed them, or the recorded results in their order. No tool runs
 * and no model is asked: words are made from the records.
 */
export const run: Run = async (invocation, io) => {
  const { calls, turns } = await withStore(invocation, io, async (store, { roots }) => {
    const session = await sessionNamed(store, invocation.operands[0]!, roots)
    return { calls: await store.calls(session.id), turns: await store.records(session.id) }
  })
  if (turns.length > 0 && !invocation.json && !invocation.ndjson) {
    await replayTurns(turns, calls, invocation, io)
    return exitCodes.ok
  }
  const rows = calls.map(({ callId, tool, arguments: input, envelope, startedAt, endedAt }) => ({
    call: callId,
    tool,
    arguments: input,
    startedAt,
    endedAt,
    envelope: envelope ?? null,
  }))
  printRows(invocation, io, rows, (style) =>
    calls
      .map((call) => `${style.bold(`> ${call.tool}`)} ${JSON.stringify(call.arguments)}\n${callText(call, style.say)}`)
      .join("\n"),
  )
  return exitCodes.ok
}

/** Shows the records of turns as their events were shown. */
async function replayTurns(
  records: readonly TurnRecord[],
  calls: readonly CallRecord[],
  invocation: Invocation,
  io: Io,
): Promise<void> {
  const { recordedCompaction, recordedOutcome, replyText } = await import("@haft/agent")
  const style = styleFor(io.stderr, io.env, invocation)
  const view = new TurnView(new RunScreen(invocation, io), { style })
  const byId = new Map(calls.map((call) => [call.callId, call]))
  for (const record of records) {
    const place = { session: record.sessionId, seq: 0, at: record.at }
    const compaction = recordedCompaction(record)
    if (compaction) view.show({ ...place, ...compaction })
    if (record.kind === "step" && record.key.startsWith("reply:")) {
      const replied = record.value as unknown as Replied
      if (!replied.ok) continue
      const { reply } = replied
      const step = Number(record.key.slice("reply:".length))
      const said = { type: "reply", turn: record.turnId, step, text: replyText(reply), usage: reply.usage } as const
      view.show({ ...place, ...said })
      // Calls that ran side by side were shown as they ended.
      const made = replied.calls.flatMap(({ id }) => byId.get(id) ?? [])
      for (const call of made.sort((one, other) => (one.endedAt ?? 0) - (other.endedAt ?? 0)))
        for (const event of callEvents(call)) view.show({ ...place, ...event })
    }
    if (record.kind !== "end") continue
    const outcome = recordedOutcome(record.turnId, record.result, { records, calls })
    view.show({ ...place, type: "turn-end", turn: record.turnId, outcome })
    for (const line of endLines(outcome, style)) io.stderr.write(`${line}\n`)
  }
}

/** A reply as the journal of turns keeps it. */
type Replied = { readonly ok: boolean } & Pick<import("@haft/agent").TurnReply, "reply" | "calls">

function callEvents({ callId, tool, arguments: values, rawArguments, envelope }: CallRecord) {
  const begun = { type: "tool-call", call: callId, tool, arguments: values ?? rawArguments } as const
  return envelope ? [begun, { type: "tool-end", call: callId, tool, envelope } as const] : [begun]
}
