import { type Answer, bestEffort, type Json, type OpenWait, type TurnRecord, type TurnResult } from "@haft/contract"

/** What the record says about a step that was begun. */
export type KnownStep = Extract<TurnRecord, { readonly kind: "step" | "failure" | "intent" }>

/** The key of a look at the clock. */
export function clockKey(count: number): string {
  return `now ${count}`
}

/** Whether a step is a look at the clock: with and without a limit of time a turn goes on, so that it may be missing or left over. */
export function isClockKey(key: string): boolean {
  return key.startsWith("now ")
}

/** A wait of a turn that has not ended. */
export interface Wait {
  readonly name: string
  readonly ask: Json
  readonly since: number
  /** The step whose body waits. */
  readonly step: string | undefined
  /** How it ended. */
  end?: Answer<Json>
  /** While its end is being recorded. */
  ending?: Promise<void> | undefined
  /** Goes on with the turn; absent while no code waits, as before a resume. */
  take?: ((answer: Answer<Json>) => void) | undefined
  /** Ends the waiting of the code, not the wait. */
  leave?: ((error: unknown) => void) | undefined
}

/** A turn without an end in the record: queued, running, or left open by a process that died. */
export class OpenTurn {
  readonly sessionId: string
  readonly turnId: string
  readonly input: Json
  readonly waits = new Map<string, Wait>()
  /** What an earlier process recorded and the code has not asked for yet, in the order of the record. */
  readonly unclaimed = new Map<string, KnownStep>()
  /** Waits between steps, likewise. */
  readonly unclaimedWaits = new Set<string>()
  /** Above 1 when an earlier process may have run a part. */
  attempt = 1
  /** `left`: by a process that died, until somebody resumes it. */
  state: "starting" | "queued" | "left" = "starting"
  /** Resolves when the start is recorded; absent for a turn that came from the record. */
  accepted: Promise<void> | undefined
  /** Set when the turn is to end: no wait takes an answer any more. */
  isStopping = false
  readonly result: Promise<TurnResult>
  private settleResult!: (result: TurnResult) => void
  private rejectResult!: (error: unknown) => void

  constructor(sessionId: string, turnId: string, input: Json) {
    this.sessionId = sessionId
    this.turnId = turnId
    this.input = input
    this.result = new Promise((resolve, reject) => {
      this.settleResult = resolve
      this.rejectResult = reject
    })
    void bestEffort("a caller may never ask for the result", this.result)
  }

  settle(result: TurnResult): void {
    this.settleResult(result)
  }

  /** The turn does not go on in this process and has no end. */
  leave(error: unknown): void {
    this.rejectResult(error)
  }

  /** Takes in a record of an earlier process. */
  restore(record: TurnRecord): void {
    if (record.kind === "step" || record.kind === "failure" || record.kind === "intent") {
      this.unclaimed.set(record.key, record)
    } else if (record.kind === "resume") this.attempt = record.attempt
    else this.note(record)
    if (record.kind === "wait" && record.step === undefined) this.unclaimedWaits.add(record.name)
  }

  /** Takes in what a record says about waits. */
  note(record: TurnRecord): void {
    if (record.kind === "wait") {
      const { name, ask, at, step } = record
      this.waits.set(name, { name, ask, since: at, step })
    } else if (record.kind === "answer" || record.kind === "expired") {
      const wait = this.waits.get(record.name)
      if (!wait) return
      const end: Answer<Json> =
        record.kind === "answer" ? { state: "answered", value: record.value } : { state: record.state }
      wait.end = end
      wait.take?.(end)
    }
  }

  /** The recorded step or wait that the code would have to ask for first. */
  get firstUnclaimed(): string | undefined {
    if (this.unclaimed.size === 0 && this.unclaimedWaits.size === 0) return undefined
    const step = [...this.unclaimed.keys()].find((key) => !isClockKey(key))
    if (step !== undefined) return `step "${step}"`
    const [wait] = this.unclaimedWaits
    return wait === undefined ? undefined : `wait "${wait}"`
  }

  get openWaits(): readonly OpenWait[] {
    if (this.isStopping) return []
    return [...this.waits.values()]
      .filter((wait) => !wait.end)
      .map(({ name, ask, since }) => ({ turnId: this.turnId, name, ask, since }))
  }
}
