import type { Usage } from "./event.js"
import type { TurnRecord } from "./turn.js"

/** The turns that a rewind hides: those that began after the one it went back to. Their records stay. */
export function hiddenTurns(records: Iterable<Pick<TurnRecord, "kind" | "turnId">>): ReadonlySet<string> {
  const hidden = new Set<string>()
  let shown: string[] = []
  for (const { kind, turnId } of records) {
    if (kind === "start") shown.push(turnId)
    if (kind !== "rewind") continue
    const kept = shown.slice(0, shown.indexOf(turnId) + 1)
    for (const later of shown.slice(kept.length)) hidden.add(later)
    shown = kept
  }
  return hidden
}

/** What the record of a step says that a model used for it. */
export function usageOf(record: TurnRecord): Usage | undefined {
  if (record.kind !== "step" || typeof record.value !== "object" || record.value === null) return undefined
  const value = record.value as { readonly usage?: unknown; readonly reply?: { readonly usage?: unknown } }
  const usage = value.reply?.usage ?? value.usage
  return isUsage(usage) ? usage : undefined
}

function isUsage(value: unknown): value is Usage {
  return typeof value === "object" && value !== null && counts.every((key) => Number.isFinite(value[key as never]))
}

const counts = ["inputTokens", "outputTokens", "reasoningTokens", "cacheReadTokens", "cacheWriteTokens"] as const

/** The usage of nothing. */
export const noUsage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cost: 0,
}

/** The sum of two; its cost is known only if both are. */
export function addUsage(one: Usage, other: Usage): Usage {
  const sum: Usage = {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
  }
  return one.cost === undefined || other.cost === undefined ? sum : { ...sum, cost: one.cost + other.cost }
}
