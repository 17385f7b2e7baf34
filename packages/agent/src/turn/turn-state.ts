import { addUsage, noUsage, type StopReason, type TurnLimits, type TurnOutcome, type Usage } from "@haft/contract"
import { replyText } from "../model/index.js"
import type { CallOutcome, TurnCall, TurnReply } from "./conversation.js"
import type { Replied } from "./reply.js"

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
export class TurnState {
  private readonly startedAt: number
  private readonly limits: TurnLimits
  private steps = 0
  private text = ""
  private usage: Usage = noUsage
  private lastCalls: readonly TurnCall[] = []
  private lastResults: readonly CallOutcome[] = []
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
    this.spend(reply.usage)
  }

  spend(usage: Usage | undefined): void {
    if (usage) this.usage = addUsage(this.usage, usage)
  }

  loops(): TurnOutcome {
    return this.end("loop", looping)
  }

  /** A round that is equal to the one before in calls and results is no progress; polling with new results is. */
  repeats({ calls }: TurnReply, results: readonly CallOutcome[]): boolean {
    const isSame =
      areSame(calls, this.lastCalls, (one, other) => one.name === other.name && one.input === other.input) &&
      areSame(results, this.lastResults, (one, other) => one.text === other.text)
    this.rounds = isSame ? this.rounds + 1 : 1
    this.lastCalls = calls
    this.lastResults = results
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
    const isNothing = reply.parts.length === 0 && reply.finish !== "stop"
    if (reply.finish !== "error" && !isNothing) return this.end("done")
    const message = `The model ended its reply with "${reply.finishWord ?? reply.finish}"`
    return this.end("model-error", { message, hint: "Send a message to let it try again, or choose another model" })
  }

  failed({ failure }: Extract<Replied, { ok: false }>): TurnOutcome {
    return this.end(failure.kind === "cancelled" ? "aborted" : "model-error", failure)
  }

  end(reason: StopReason, words?: Words): TurnOutcome {
    const { text, steps, usage } = this
    return { reason, text, steps, usage, ...(words && { message: words.message, hint: words.hint }) }
  }
}

function areSame<T>(some: readonly T[], others: readonly T[], isSame: (one: T, other: T) => boolean): boolean {
  return some.length === others.length && some.every((one, index) => isSame(one, others[index]!))
}

function limitWords(limit: string, flag: string): Words {
  return { message: `The turn reached its limit of ${limit}`, hint: `Raise ${flag}, or send a message to let it go on` }
}
