import type { LanguageModelV3 } from "@ai-sdk/provider"
import type { Json, StepScope, TurnPort, Usage } from "@haft/contract"
import type { CallSession } from "@haft/runtime"
import { askingAgent, type ModelClock, ModelError, priceUsage, replyText, retryReply } from "../model/index.js"
import { type Compacted, type Conversation, type Entry, resultTokens, stepKeys, tokensOf } from "./conversation.js"
import { compactionEnd } from "./recorded-conversation.js"

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

/** Whether the next request would come near the limit of the model's context, or the last one was refused as too long. */
export function needsRoom(conversation: Conversation, host: ContextHost): boolean {
  // Without a limit nobody counts.
  const isNear = host.contextTokens !== undefined && conversation.estimate >= limitOf(host)
  return isNear || conversation.isTooLong
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
  const { isTooLong } = conversation
  const limit = isTooLong ? Math.min(limitOf(host), conversation.estimate / 2) : limitOf(host)
  const summarizing = () => host.session.emit({ type: "compaction-start", turn: port.turnId, step })
  const run = async (scope: StepScope) =>
    (await markerFor(conversation, limit, { ...host, summarizing }, scope)) as unknown as Json
  const made = (await port.step(stepKeys.marker(step), run)) as unknown as Compacted
  if ("failed" in made) {
    const message = `The conversation is too long for the model, and its summary failed: ${made.failed}`
    return { full: { message, hint: made.hint ?? "Send a message to try again, or start a new session" } }
  }
  if ("unchanged" in made) return { full: isTooLong ? refused : tooLarge(conversation, host) }
  conversation.mark(made)
  host.session.emit(compactionEnd(port.turnId, step, made))
  // How much a model reads that refused a request nobody knows: any less may do.
  return { usage: made.usage, full: isTooLong ? undefined : tooLarge(conversation, host) }
}

const hint = "Choose a model with a larger context, or start a new session"
const refused = { message: "The model refused the conversation as too long, and nothing of it can be left out", hint }

/** Why no request can be made of the conversation. One that leaves less for the reply than it should is tried all the same. */
function tooLarge({ estimate }: Conversation, { contextTokens = Number.POSITIVE_INFINITY }: ContextHost): Room["full"] {
  if (estimate < contextTokens) return undefined
  const message = `The conversation needs about ${estimate} tokens and the model reads ${contextTokens}`
  return { message, hint }
}

interface Room {
  readonly usage?: Usage | undefined
  readonly full?: { readonly message: string; readonly hint: string } | undefined
}

async function markerFor(
  conversation: Conversation,
  limit: number,
  host: ContextHost & { readonly summarizing: () => void },
  scope: StepScope,
): Promise<Compacted> {
  const { view, estimate } = conversation
  // In a small context less stays whole.
  const pruned = prunable(conversation.tail, view.pruned, Math.min(keptResults, limit / 2))
  const freed = estimate - pruned.tokens
  const marker = { ...view, pruned: [...view.pruned, ...pruned.calls] }
  const shorter = pruned.calls.length > 0 ? marker : unchanged
  // A quarter of the context free, or the next step would have to do it again.
  if (freed < limit * 0.75) return shorter
  const tail = tailOf(conversation.tail, Math.min(keptTail, limit / 2))
  if (tail === undefined) return shorter
  // A model with a smaller context than the one before cannot read what it would have to sum up.
  const { contextTokens = Number.POSITIVE_INFINITY, summaryModel } = host
  if (summaryModel === undefined && estimate - tail.tokens > contextTokens) return shorter
  host.summarizing()
  const summary = await summarize(conversation, tail.id, host, scope)
  if (!("failed" in summary)) return { ...marker, ...summary, tail: tail.id }
  return freed < limit ? shorter : summary
}

const unchanged = { unchanged: true } as const

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
    for (const result of [...entry.results].reverse()) {
      const { call } = result
      const size = resultTokens(result)
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
function tailOf(entries: readonly Entry[], kept: number): { readonly id: string; readonly tokens: number } | undefined {
  let tokens = 0
  let tail: { readonly id: string; readonly tokens: number } | undefined
  for (const entry of [...entries].reverse()) {
    tokens += tokensOf(entry, { pruned: [] })
    if (tokens > kept && tail !== undefined) break
    if (entry.role !== "results") tail = { id: entry.id, tokens }
  }
  return tail?.id === entries[0]?.id ? undefined : tail
}

const summaryTask =
  "Write a summary of the conversation above for the one who goes on with it: the goal, what the user asked for and decided, what was done to which files, what was found out, what is open, and the next step. Facts only, with exact names and paths. Do not call tools."

async function summarize(
  conversation: Conversation,
  tail: string,
  { session, model, summaryModel = model, clock, random }: ContextHost,
  { signal }: StepScope,
): Promise<{ readonly summary: string; readonly usage: Usage } | { readonly failed: string; readonly hint?: string }> {
  const kept = conversation.tail.findIndex(({ id }) => id === tail)
  const older = conversation.wordsOf(kept)
  try {
    const prompt = [...older, { role: "user" as const, content: [{ type: "text" as const, text: summaryTask }] }]
    const call = { prompt, maxOutputTokens: 4096, temperature: 0, providerOptions: askingAgent("compaction") }
    const reply = await retryReply(summaryModel, call, { signal, clock, random })
    const text = replyText(reply)
    if (text === "") return { failed: "the summary was empty" }
    return { summary: text, usage: await priceUsage(reply.usage, summaryModel, { at: session.now() }) }
  } catch (error) {
    if (!(error instanceof ModelError) || error.failure.kind === "cancelled") throw error
    const { kind, message, hint } = error.failure
    return kind === "context_length" ? { failed: message, hint } : { failed: message }
  }
}
