import {
  addUsage,
  noUsage,
  type StopReason,
  type TurnInput,
  type TurnLimits,
  type TurnOutcome,
  type TurnPort,
  type Usage,
} from "@haft/contract"
import { replyText } from "../model/index.js"
import { type CallHost, runCalls } from "./calls.js"
import { type ContextHost, makeRoom } from "./context.js"
import { type CallOutcome, type Conversation, stepKeys, type TurnReply } from "./conversation.js"
import { askModel, type ModelHost, type Replied } from "./reply.js"

/** What a turn works with. */
export interface TurnHost extends ModelHost, CallHost, ContextHost {
  readonly limits: TurnLimits
  /** The system prompt of a session that has none yet. */
  readonly systemPrompt: () => Promise<string>
}

/**
 * One turn: the model replies, its calls run, it reads the results and replies again, until it has no more calls. A function
 * of its input and the port alone: what touches the world happens in steps.
 */
export async function runTurn(
  port: TurnPort,
  input: TurnInput,
  conversation: Conversation,
  host: TurnHost,
): Promise<TurnOutcome> {
  const timed = host.limits.maxTimeMs !== undefined
  const turn = new TurnState(timed ? await port.now() : 0, host.limits)
  conversation.prompt ??= (await port.step(stepKeys.prompt, host.systemPrompt)) as string
  conversation.add({ role: "user", id: port.turnId, input })
  for (let step = 1; ; step += 1) {
    const limit = turn.limitReached(step, timed ? await port.now() : 0)
    if (limit) return turn.end("limit", limit)

    // 1 room in the context, 2 a reply of the model
    const full = await makeRoom(port, step, conversation, host)
    if (full) return turn.end("model-error", full)
    const replied = await askModel(port, step, conversation, host)
    if (!replied.ok) return turn.failed(replied)
    turn.take(replied)
    const id = `${port.turnId}/${stepKeys.reply(step)}`
    conversation.add({ role: "reply", id, reply: replied })
    if (replied.calls.length === 0) return turn.finish(replied)

    // 3 its calls, 4 their results
    const results = await runCalls(port, step, replied.calls, host)
    conversation.add({ role: "results", id: `${id}/results`, results })
    if (turn.repeats(replied, results)) return turn.end("loop", looping)
  }
}

const looping = {
  message: "The model made the same calls with the same results again and again",
  hint: "Say what should be different, or choose another model",
}

interface Words {
  readonly message: string
  readonly hint: string
}

// The watchdog asks at the third time; a model that goes on after refusals does not stop by itself.
const maxRepeats = 6

/** What a turn has used so far, and how it ends. */
class TurnState {
  private readonly startedAt: number
  private readonly limits: TurnLimits
  private steps = 0
  private text = ""
  private usage: Usage = noUsage
  private lastRound = ""
  private rounds = 0

  constructor(startedAt: number, limits: TurnLimits) {
    this.startedAt = startedAt
    this.limits = limits
  }

  limitReached(step: number, now: number): Words | undefined {
    const { maxSteps, maxCost, maxTimeMs } = this.limits
    if (maxSteps !== undefined && step > maxSteps) return limitWords(`${maxSteps} steps`, "--max-steps")
    if (maxCost !== undefined && (this.usage.cost ?? 0) >= maxCost) return limitWords(`$${maxCost}`, "--max-cost")
    if (maxTimeMs !== undefined && now - this.startedAt >= maxTimeMs)
      return limitWords(`${maxTimeMs / 1000} seconds`, "--max-time")
    return undefined
  }

  take({ reply }: TurnReply): void {
    this.steps += 1
    this.text = replyText(reply) || this.text
    this.usage = addUsage(this.usage, reply.usage)
  }

  /** A round that is equal to the one before in calls and results is no progress; polling with new results is. */
  repeats({ calls }: TurnReply, results: readonly CallOutcome[]): boolean {
    const round = JSON.stringify([calls.map(({ name, input }) => [name, input]), results.map(({ text }) => text)])
    this.rounds = round === this.lastRound ? this.rounds + 1 : 1
    this.lastRound = round
    return this.rounds >= maxRepeats
  }

  finish({ reply }: TurnReply): TurnOutcome {
    if (reply.finish === "length") {
      return this.end("length", {
        message: "The reply was cut at the model's limit of output",
        hint: "Send a message to let it go on",
      })
    }
    if (reply.finish === "content-filter") {
      return this.end("refused", { message: "The provider withheld the reply", hint: "Say it in another way" })
    }
    return this.end("done")
  }

  failed({ failure }: Extract<Replied, { ok: false }>): TurnOutcome {
    return this.end(failure.kind === "cancelled" ? "aborted" : "model-error", failure)
  }

  end(reason: StopReason, words?: Words): TurnOutcome {
    const { text, steps, usage } = this
    return { reason, text, steps, usage, ...(words && { message: words.message, hint: words.hint }) }
  }
}

function limitWords(limit: string, flag: string): Words {
  return { message: `The turn reached its limit of ${limit}`, hint: `Raise ${flag}, or send a message to let it go on` }
}
