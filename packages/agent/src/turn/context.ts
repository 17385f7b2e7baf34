import type { LanguageModelV3 } from "@ai-sdk/provider"
import type { Json, StepScope, TurnPort, Usage } from "@haft/contract"
import type { CallSession } from "@haft/runtime"
import { type ModelClock, ModelError, priceUsage, replyText, retryReply } from "../model/index.js"
import { type Conversation, type Entry, estimateTokens, type Marker, stepKeys, tokensOf } from "./conversation.js"

/** What keeps a conversation within the model's context. */
export interface ContextHost {
  readonly session: CallSession
  readonly model: LanguageModelV3
  readonly clock: ModelClock
  /** From 0 up to 1; spreads retries. */
  readonly random: () => number
  /** Tokens that the model reads at the most; undefined where nobody knows: then nothing is left out. */
  readonly contextTokens: number | undefined
  /** Kept free for the reply. */
  readonly reserveTokens?: number
  /** Writes summaries; the model itself by default. */
  readonly summaryModel?: LanguageModelV3
}

const defaultReserve = 20_000
// The newest results are what the model works with: this many tokens of them are never left out.
const keptResults = 40_000
// A small result costs more as a stub that asks to be called again than as it is.
const worthPruning = 200
// Entries that stay whole behind a summary.
const keptTail = 20_000

/** Whether the next request would come near the limit of the model's context. */
export function needsRoom(conversation: Conversation, host: ContextHost): boolean {
  // Without a limit nobody counts.
  return host.contextTokens !== undefined && conversation.estimate >= limitOf(host)
}

function limitOf({ contextTokens = Number.POSITIVE_INFINITY, reserveTokens = defaultReserve }: ContextHost): number {
  return contextTokens - Math.min(reserveTokens, contextTokens / 2)
}

/**
 * Makes room in a conversation that needs it: old long results become stubs; where that is not enough, what is
 * older than the tail becomes a summary. Nothing leaves the journal. Gives what a summary used, and why no room can be made.
 */
export async function makeRoom(
  port: TurnPort,
  step: number,
  conversation: Conversation,
  host: ContextHost,
): Promise<Room> {
  const limit = limitOf(host)
  const run = async (scope: StepScope) => (await markerFor(conversation, limit, host, scope)) as unknown as Json
  const marker = (await port.step(stepKeys.marker(step), run)) as unknown as Marker | { readonly failed: string }
  if ("failed" in marker) {
    const message = `The conversation is too long for the model, and its summary failed: ${marker.failed}`
    return { full: { message, hint: "Send a message to try again, or start a new session" } }
  }
  conversation.mark(marker)
  const { usage } = marker
  if (conversation.estimate < limit) return { usage }
  const message = `The conversation needs about ${conversation.estimate} tokens and the model reads ${host.contextTokens}`
  return { usage, full: { message, hint: "Choose a model with a larger context, or start a new session" } }
}

interface Room {
  readonly usage?: Usage | undefined
  readonly full?: { readonly message: string; readonly hint: string }
}

async function markerFor(
  conversation: Conversation,
  limit: number,
  host: ContextHost,
  scope: StepScope,
): Promise<Marker | { readonly failed: string }> {
  const { view } = conversation
  // In a small context less stays whole.
  const pruned = prunable(conversation.tail, view.pruned, Math.min(keptResults, limit / 2))
  const freed = conversation.estimate - pruned.tokens
  const marker: Marker = { ...view, pruned: [...view.pruned, ...pruned.calls] }
  // A quarter of the context free, or the next step would have to do it again.
  if (freed < limit * 0.75) return marker
  // A model with a smaller context than the one before cannot read what it would have to sum up.
  const canRead = host.summaryModel !== undefined || conversation.estimate <= (host.contextTokens ?? 0)
  if (!canRead) return marker
  const tail = tailOf(conversation.tail, Math.min(keptTail, limit / 2))
  if (tail === undefined) return marker
  const summary = await summarize(conversation, tail, host, scope)
  return "failed" in summary ? summary : { ...marker, ...summary, tail }
}

/** Long results before the newest ones. */
function prunable(
  entries: readonly Entry[],
  already: readonly string[],
  kept: number,
): { readonly calls: readonly string[]; readonly tokens: number } {
  const calls: string[] = []
  let tokens = 0
  let newer = 0
  for (const entry of [...entries].reverse()) {
    if (entry.role !== "results") continue
    for (const { call, text } of [...entry.results].reverse()) {
      const size = estimateTokens(text)
      if (newer >= kept && size >= worthPruning && !already.includes(call)) {
        calls.push(call)
        tokens += size
      }
      newer += size
    }
  }
  return { calls, tokens }
}

/** Where the part begins that stays whole: at a message of the user or a reply, so that no result loses its call. */
function tailOf(entries: readonly Entry[], kept: number): string | undefined {
  let tokens = 0
  let tail: string | undefined
  for (const entry of [...entries].reverse()) {
    tokens += tokensOf(entry, { pruned: [] })
    if (tokens > kept && tail !== undefined) break
    if (entry.role !== "results") tail = entry.id
  }
  return tail === entries[0]?.id ? undefined : tail
}

const summaryTask =
  "Write a summary of the conversation above for the one who goes on with it: the goal, what the user asked for and decided, what was done to which files, what was found out, what is open, and the next step. Facts only, with exact names and paths. Do not call tools."

async function summarize(
  conversation: Conversation,
  tail: string,
  { session, model, summaryModel = model, clock, random }: ContextHost,
  { signal }: StepScope,
): Promise<Required<Pick<Marker, "summary" | "usage">> | { readonly failed: string }> {
  const kept = conversation.tail.findIndex(({ id }) => id === tail)
  const older = conversation.messages(kept)
  try {
    const prompt = [...older, { role: "user" as const, content: [{ type: "text" as const, text: summaryTask }] }]
    const call = { prompt, maxOutputTokens: 4096, temperature: 0 }
    const reply = await retryReply(summaryModel, call, { signal, clock, random })
    const text = replyText(reply)
    if (text === "") return { failed: "the summary was empty" }
    return { summary: text, usage: await priceUsage(reply.usage, summaryModel, { at: session.now() }) }
  } catch (error) {
    if (!(error instanceof ModelError) || error.failure.kind === "cancelled") throw error
    return { failed: error.failure.message }
  }
}
