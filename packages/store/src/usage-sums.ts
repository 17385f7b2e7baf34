import { addUsage, noUsage, type Usage } from "@haft/contract"
import type { Kysely } from "kysely"
import type { SessionRow, Tables } from "./schema/tables.js"

/** The columns of a session's row that count what models used. */
type UsageSums = Pick<
  SessionRow,
  | "prompt_tokens"
  | "completion_tokens"
  | "reasoning_tokens"
  | "cache_read"
  | "cache_write"
  | "total_tokens"
  | "cost_usd"
>

/** A usage as those columns. */
export function sumsOf(usage: Usage): UsageSums {
  const { inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheWriteTokens, cost = 0 } = usage
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    reasoning_tokens: reasoningTokens,
    cache_read: cacheReadTokens,
    cache_write: cacheWriteTokens,
    // Reasoning is a part of the output.
    total_tokens: inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens,
    cost_usd: cost,
  }
}

/** What these add to the sums of their session; undefined when that is nothing. */
export function sumOfUsages(drafts: Iterable<{ readonly usage?: Usage | undefined }>): Usage | undefined {
  let sum: Usage | undefined
  for (const { usage } of drafts) if (usage) sum = addUsage(sum ?? noUsage, { ...usage, cost: usage.cost ?? 0 })
  return sum
}

/** Those columns as a usage. */
export function sumsToUsage(row: UsageSums): Usage {
  return {
    inputTokens: row.prompt_tokens,
    outputTokens: row.completion_tokens,
    reasoningTokens: row.reasoning_tokens,
    cacheReadTokens: row.cache_read,
    cacheWriteTokens: row.cache_write,
    // A sum of prices that nobody knows is none.
    ...(row.cost_usd > 0 && { cost: row.cost_usd }),
  }
}

/** Adds to the sums of a session whose row this transaction has locked. */
export async function addSums(db: Kysely<Tables>, id: string, usage: Usage | undefined): Promise<void> {
  if (!usage) return
  const more = Object.entries(sumsOf(usage)) as [keyof UsageSums, number][]
  await db
    .updateTable("chat_sessions")
    .set((row) => Object.fromEntries(more.map(([column, count]) => [column, row(column, "+", count)])))
    .where("id", "=", id)
    .execute()
}
