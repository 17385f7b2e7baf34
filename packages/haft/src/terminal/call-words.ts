import { type Compaction, callSubject, type Envelope, firstLine, type Todo, type Usage } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import type { Say } from "@haft/language"

const maxSubject = 80
const maxError = 160

/** What a call is about, in short; empty where its arguments do not say it. */
export function subjectWords(values: unknown): string {
  return visibleLine(firstLine(callSubject(values) ?? ""), maxSubject)
}

/** How a call ended: `ok`, or what went wrong. A command that failed is an output, too. */
export function callEnd(envelope: Envelope, say: Say): { readonly isGood: boolean; readonly words: string } {
  if (envelope.type === "output") {
    const trouble = troubleOf(envelope.data, say)
    return { isGood: trouble === undefined, words: trouble ?? say`ok` }
  }
  const [first = ""] = envelope.error_text.split("\n")
  const words = `${envelope.metadata.error_code ?? "error"}: ${visibleLine(say(first), maxError)}`
  return { isGood: false, words }
}

/** What the data of any tool says of a process or an agent that did not end well. */
function troubleOf(data: unknown, say: Say): string | undefined {
  const { timed_out, exit_code, signal, state, stopped } = (data ?? {}) as Readonly<Record<string, unknown>>
  if (timed_out === true) return say`timed out`
  if (typeof exit_code === "number" && exit_code !== 0) return say`exit ${exit_code}`
  // A job that was stopped has ended as it was asked to.
  if (typeof signal === "string" && state !== "stopped") return visibleLine(signal, maxError)
  return typeof stopped === "string" ? visibleLine(firstLine(stopped), maxError) : undefined
}

/** What a compaction left of a conversation. */
export function compactionWords({ leftOut, summary }: Compaction, say: Say): string {
  if (summary === undefined) return say`the conversation was made shorter; old results left out: ${leftOut}`
  if (leftOut === 0) return say`the conversation was made shorter: a summary stands for what is old`
  return say`the conversation was made shorter: a summary stands for what is old; old results left out: ${leftOut}`
}

/** A time as people say it. */
export function durationWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** Tokens, and what they cost where that is known. */
export function usageWords(
  { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, cost }: Usage,
  say: Say,
): string {
  const input = inputTokens + cacheReadTokens + cacheWriteTokens
  const price = cost === undefined || cost === 0 ? "" : `, $${cost.toFixed(4)}`
  return `${say`${input} tokens in, ${outputTokens} out`}${price}`
}

const marks: Readonly<Record<string, string>> = { completed: "[x]", in_progress: "[>]", cancelled: "[-]" }

/** A list of things to do, one on a line. */
export function todoLines(todos: readonly Todo[]): readonly string[] {
  return todos.map(({ content, status }) => `  ${marks[status] ?? "[ ]"} ${visibleLine(content)}`)
}
