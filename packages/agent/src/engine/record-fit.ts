import { ToolError } from "@haft/contract"
import type { KnownStep, OpenTurn } from "./open-turn.js"

/** Holds the code of a turn against its record: what is recorded must be asked for, once, before anything new happens. */
export class RecordFit {
  /** Set when the code does not fit the record: the turn cannot go on. */
  misfit: ToolError | undefined
  private readonly turn: OpenTurn
  private readonly keys = new Set<string>()
  private readonly waits = new Set<string>()

  constructor(turn: OpenTurn) {
    this.turn = turn
  }

  /** Takes a key for this run, and what the record has of it. */
  claim(key: string): KnownStep | undefined {
    if (this.misfit) throw this.misfit
    if (this.keys.has(key)) throw this.misfits(`its code uses the key of step "${key}" twice`)
    this.keys.add(key)
    const { unclaimed } = this.turn
    if (unclaimed.size === 0) return undefined
    const known = unclaimed.get(key)
    if (known) unclaimed.delete(key)
    return known
  }

  /** Takes the name of a wait between steps. */
  claimWait(name: string): void {
    if (this.waits.has(name)) throw this.misfits(`its code opens the wait "${name}" twice`)
    this.waits.add(name)
    this.turn.unclaimedWaits.delete(name)
    if (!this.turn.waits.has(name)) this.requireAllClaimed("wait", name)
  }

  /** Nothing new happens before the code has asked for all that is recorded: else a renamed step would run twice. */
  requireAllClaimed(kind: "step" | "wait", name: string): void {
    const expected = this.turn.firstUnclaimed
    if (expected) throw this.misfits(`its code asks for ${kind} "${name}" where the record has ${expected}`)
  }

  /** The code has returned; what it never asked for does not fit. */
  end(): void {
    const left = this.turn.firstUnclaimed
    if (left) this.misfits(`the record has ${left} and its code does not ask for it`)
  }

  misfits(reason: string): ToolError {
    const step = "the turn is ended and nothing was run again; start a new turn"
    this.misfit ??= new ToolError("conflict", `Cannot go on with turn "${this.turn.turnId}": ${reason}; ${step}`)
    return this.misfit
  }
}
