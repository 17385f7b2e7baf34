import { hiddenTurns, type Json, type SessionRecord, type TurnInput } from "@haft/contract"
import { visible } from "@haft/guard"
import type { Store } from "@haft/store"
import type { Style } from "../terminal/style.js"

const mostSaid = 2000

/** A message as it is said again above its answer. */
export function messageLines(text: string, { bold }: Style): readonly string[] {
  return saidLines(text).map((line, index) => bold(index === 0 ? `> ${line}` : `  ${line}`))
}

function saidLines(text: string): readonly string[] {
  const whole = visible(text)
  return (whole.length > mostSaid ? `${whole.slice(0, mostSaid - 1)}…` : whole).split("\n")
}

/** The last message of the person in a session, and what the model said then; empty where there was none. */
export async function earlierLines(
  store: Pick<Store, "records" | "calls">,
  { id }: Pick<SessionRecord, "id">,
  style: Style,
): Promise<readonly string[]> {
  const [records, calls] = await Promise.all([store.records(id), store.calls(id)])
  const hidden = hiddenTurns(records)
  const turns = records.filter(({ turnId }) => !hidden.has(turnId))
  const at = turns.findLastIndex((record) => record.kind === "start" && inputOf(record.input).trigger === undefined)
  const start = turns[at]
  if (start?.kind !== "start") return []
  const { recordedOutcome } = await import("@haft/agent")
  const end = turns.slice(at).findLast(({ kind }) => kind === "end")
  const reply = end?.kind === "end" ? recordedOutcome(end.turnId, end.result, { records, calls }).text : ""
  return [
    style.dim(style.say`The end of the conversation so far; all of it: haft session replay ${id}`),
    ...messageLines(inputOf(start.input).text ?? "", style),
    ...(reply === "" ? [] : saidLines(reply)),
  ]
}

// A report of work in the background has a trigger: no person sent it.
function inputOf(input: Json): Partial<TurnInput> {
  return (input ?? {}) as Partial<TurnInput>
}
