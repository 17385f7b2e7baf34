import { addUsage, noUsage, type StopReason, type TurnLimits, type TurnOutcome, type Usage } from "@haft/contract"
import { toolsFor } from "@haft/runtime"
import { replyText } from "../model/index.js"
import type { CallOutcome, TurnCall, TurnReply } from "./conversation.js"
import type { ModelHost, Replied } from "./reply.js"

const looping = {
  message: "The model made the same calls with the same results again and again",
  hint: "Say what should be different, or choose another model",
}

interface Words {
  readonly message: string
  readonly hint?: string
}

// The watchdog asks from the sixth time on; a model that goes on after refusals does not stop by itself.
const maxRepeats = 8
// Whoever waits may do it for long, and yet not for ever: what never changes has ended.
const maxWaits = 100

/** What a turn has used so far, and how it ends. */
export class TurnState {
  private readonly limits: TurnLimits
  private startedAt = 0
  private steps = 0
  private text = ""
  private usage: Usage = noUsage
  /** What is known of the cost: the sum of a usage has none as soon as one price is not known. */
  private cost = 0
  private lastCalls: readonly TurnCall[] = []
  private lastResults: readonly CallOutcome[] = []
  private rounds = 0

  constructor(limits: TurnLimits) {
    this.limits = limits
  }

  get isTimed(): boolean {
    return this.limits.maxTimeMs !== undefined
  }

  begin(now: number): void {
    this.startedAt = now
  }

  /** What is left of the limits, for an agent that the turn starts; undefined where there is none. */
  limitsLeft(now: number): TurnLimits | undefined {
    const { maxSteps, maxCost, maxTimeMs } = this.limits
    if (maxSteps === undefined && maxCost === undefined && maxTimeMs === undefined) return undefined
    return {
      ...(maxSteps !== undefined && { maxSteps }),
      ...(maxCost !== undefined && { maxCost: Math.max(0, maxCost - this.cost) }),
      ...(maxTimeMs !== undefined && { maxTimeMs: Math.max(0, this.startedAt + maxTimeMs - now) }),
    }
  }

  limitReached(now: number): Words | undefined {
    const { maxSteps, maxCost, maxTimeMs } = this.limits
    if (maxSteps !== undefined && this.steps >= maxSteps) {
      if (maxSteps === 1) return limitWords({ message: "The turn reached its limit of 1 step" }, "--max-steps")
      return limitWords({ message: `The turn reached its limit of ${maxSteps} steps` }, "--max-steps")
    }
    if (maxCost !== undefined && this.cost >= maxCost)
      return limitWords({ message: `The turn reached its limit of $${rounded(maxCost)}` }, "--max-cost")
    if (maxTimeMs !== undefined && now - this.startedAt >= maxTimeMs)
      return limitWords({ message: `The turn reached its limit of ${maxTimeMs / 1000} seconds` }, "--max-time")
    return undefined
  }

  take({ reply }: TurnReply): void {
    this.steps += 1
    this.text = replyText(reply) || this.text
    this.spend(reply.usage)
  }

  spend(usage: Usage | undefined): void {
    if (!usage) return
    this.usage = addUsage(this.usage, usage)
    this.cost += usage.cost ?? 0
  }

  loops(): TurnOutcome {
    return this.end("loop", looping)
  }

  /**
   * A round that is equal to the one before in calls and results is no progress; new results are, and so is waiting with a tool
   * that is made for it, as long as it works. A refusal is no new result.
   */
  repeats({ calls }: TurnReply, results: readonly CallOutcome[], { session, dialect }: ModelHost): boolean {
    const isSame =
      areSame(calls, this.lastCalls, (one, other) => one.name === other.name && one.input === other.input) &&
      areSame(results, this.lastResults, (one, other) => one.text === other.text || one.refused === true)
    const before = this.lastResults
    this.rounds = isSame ? this.rounds + 1 : 1
    this.lastCalls = calls
    this.lastResults = isSame ? results.map((each, index) => (each.refused ? before[index]! : each)) : results
    if (this.rounds < maxRepeats) return false
    const waits = ({ name }: TurnCall, at: number) =>
      !results[at]?.isError && toolsFor(name, session, dialect).some(({ manifest }) => manifest.polls)
    return this.rounds >= maxWaits || !calls.some(waits)
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
    if (words === undefined) return { reason, text, steps, usage }
    const { message, hint } = words
    return { reason, text, steps, usage, message, ...(hint !== undefined && { hint }) }
  }
}

function areSame<T>(some: readonly T[], others: readonly T[], isSame: (one: T, other: T) => boolean): boolean {
  return some.length === others.length && some.every((one, index) => isSame(one, others[index]!))
}

/** What is left of a limit has more digits than anybody wants to read. */
function rounded(dollars: number): number {
  return Number(dollars.toPrecision(6))
}

function limitWords({ message }: Words, flag: string): Words {
  return { message, hint: `Raise ${flag}, or send a message to let it go on` }
}
