import {
  bestEffort,
  canonicalJson,
  hiddenTurns,
  type Json,
  type OpenWait,
  ToolError,
  type TurnFunction,
  type TurnJournal,
  type TurnRecord,
  type TurnResult,
} from "@haft/contract"
import { requirePlainJson } from "../plain-json.js"
import { type ChildTurn, childOf } from "./children.js"
import { Feed } from "./feed.js"
import { OpenTurn, type Wait } from "./open-turn.js"
import { RecordLog } from "./record-log.js"
import type { TurnHost, WaitEnd } from "./turn-host.js"
import { TurnRun } from "./turn-run.js"

/** What the turns of a session need of their engine. */
export interface SessionHost extends Omit<TurnHost, "append" | "endWait" | "emit"> {
  readonly journal: TurnJournal
  readonly code: TurnFunction
  /** The session's memory does not fit its journal any more. */
  forget(session: SessionTurns): void
  /** The session has no open turn. */
  rest(): void
}

/** The turns of one session: one runs, the others wait in the order in which they were accepted. */
export class SessionTurns {
  readonly id: string
  readonly feed: Feed
  private readonly host: SessionHost
  private readonly turnHost: TurnHost
  private readonly open = new Map<string, OpenTurn>()
  private readonly ended = new Set<string>()
  /** The newest results; older ones are read from the journal. */
  private readonly results = new Map<string, TurnResult>()
  private queue: OpenTurn[] = []
  private running: TurnRun | undefined
  private playing: Promise<void> = Promise.resolve()
  private isHeld = false
  private failure: { readonly error: unknown } | undefined
  private readonly log: RecordLog

  private constructor(id: string, host: SessionHost) {
    this.id = id
    this.host = host
    const { journal, clock } = host
    this.feed = new Feed(id, journal)
    this.log = new RecordLog(id, { journal, clock, feed: this.feed, onFailure: (error) => this.stop(error) })
    this.turnHost = {
      ...host,
      append: (turn, body, synced) => this.log.append(turn, body, synced),
      endWait: (turn, wait, body) => this.endWait(turn, wait, body),
      emit: (turn, chunk) => {
        if (!this.feed.isWatched) return
        this.feed.publish({ type: "chunk", turnId: turn.turnId, attempt: turn.attempt, ...chunk })
      },
    }
  }

  /** Reads what the journal knows of the session. */
  static async load(id: string, host: SessionHost): Promise<SessionTurns> {
    const session = new SessionTurns(id, host)
    for (let page = undefined as readonly TurnRecord[] | undefined; !page || page.length === pageSize; ) {
      page = await host.journal.records(id, { from: session.log.cursor, limit: pageSize })
      for (const record of page) session.restore(record)
    }
    // Only the first open turn can have been begun: the others were queued behind it.
    const [first] = session.open.values()
    if (first) first.attempt++
    return session
  }

  /** True when nothing of the session is only in memory. */
  get isIdle(): boolean {
    return this.open.size === 0 && !this.feed.isWatched && this.log.isWritten
  }

  /** The waits that nobody has answered, with those that are being recorded: their ask may be on a screen already. */
  async openWaits(): Promise<readonly OpenWait[]> {
    await this.log.written()
    return [...this.open.values()].flatMap((turn) => turn.openWaits)
  }

  async start(turnId: string, input: Json): Promise<void> {
    this.requireUsable()
    this.resume()
    if (this.ended.has(turnId)) return
    const known = this.open.get(turnId)
    if (known) {
      requireSameInput(known, input)
      return known.accepted
    }
    const turn = new OpenTurn(this.id, turnId, input)
    if (this.host.checksValues) requirePlainJson(input, `the input of turn "${turnId}"`)
    this.open.set(turnId, turn)
    this.queue.push(turn)
    turn.accepted = this.log.append(turn, { kind: "start", input }, true)
    await turn.accepted
    turn.state = "queued"
    this.drain()
  }

  /** Puts the turns that a process left open into the queue, and lets those go on that a failure held back. */
  resume(): readonly string[] {
    this.requireUsable()
    const left = [...this.open.values()].filter((turn) => turn.state === "left")
    for (const turn of left) turn.state = "queued"
    this.queue.push(...left)
    this.isHeld = false
    this.drain()
    return left.map((turn) => turn.turnId)
  }

  async result(turnId: string): Promise<TurnResult> {
    const turn = this.open.get(turnId)
    if (turn) return turn.result
    const result =
      this.results.get(turnId) ?? (await this.recorded(turnId)).find((record) => record.kind === "end")?.result
    if (result) return result
    const message = `Cannot give the result of turn "${turnId}": session "${this.id}" has no such turn; start it first`
    throw new ToolError("not_found", message)
  }

  async answer(turnId: string, name: string, value: Json): Promise<"taken" | "unknown" | "already"> {
    this.requireUsable()
    const turn = this.open.get(turnId)
    if (!turn) return (await this.recorded(turnId)).some((record) => endsWait(record, name)) ? "already" : "unknown"
    await this.log.written()
    const wait = turn.waits.get(name)
    if (!wait || (turn.isStopping && !wait.end)) return "unknown"
    if (this.host.checksValues) requirePlainJson(value, `the answer to "${name}"`)
    return (await this.endWait(turn, wait, { kind: "answer", name, value })) ? "taken" : "already"
  }

  async abort(turnId: string, reason: string): Promise<boolean> {
    const turn = this.open.get(turnId)
    if (!turn) return false
    this.requireUsable()
    if (this.running?.turn === turn) this.running.abort(reason)
    else if (!turn.isStopping) await this.abortIdle(turn, reason)
    return (await turn.result).state === "aborted"
  }

  /** Ends what a process left open, and hides the turns after this one. */
  async rewind(turnId: string): Promise<void> {
    this.requireUsable()
    const busy = [...this.open.values()].find((turn) => turn.state !== "left")
    if (busy) {
      throw new ToolError("conflict", `Cannot rewind session "${this.id}": turn "${busy.turnId}" has not ended`, {
        hint: "Wait for its end, or abort it",
      })
    }
    const hidden = hiddenTurns(await this.host.journal.records(this.id))
    if ((!this.ended.has(turnId) && !this.open.has(turnId)) || hidden.has(turnId)) {
      const reason = hidden.has(turnId) ? "an earlier rewind has hidden it" : "the session has no such turn"
      throw new ToolError("not_found", `Cannot rewind session "${this.id}" to turn "${turnId}": ${reason}`, {
        hint: `See its turns with: haft session show ${this.id}`,
      })
    }
    for (const turn of this.open.values()) await this.abortIdle(turn, "the session was rewound")
    await this.log.append({ turnId }, { kind: "rewind" }, true)
  }

  /** Stops what runs without an end. */
  async close(error: unknown): Promise<void> {
    this.failure ??= { error }
    this.running?.suspend("close", error)
    await this.playing
    for (const turn of this.open.values()) turn.leave(error)
    this.feed.close()
  }

  private restore(record: TurnRecord): void {
    this.log.cursor++
    const { turnId } = record
    if (record.kind === "end") {
      this.open.delete(turnId)
      this.ended.add(turnId)
    } else if (record.kind === "start") {
      const turn = new OpenTurn(this.id, turnId, record.input)
      turn.state = "left"
      this.open.set(turnId, turn)
    } else this.open.get(turnId)?.restore(record)
  }

  private drain(): void {
    const turn = this.queue[0]
    if (this.running || this.isHeld || this.failure || turn?.state !== "queued") return
    this.queue.shift()
    this.running = new TurnRun(turn, this.turnHost)
    this.playing = this.play(this.running)
  }

  private async play(run: TurnRun): Promise<void> {
    const result = await run.play(this.host.code)
    if (result) await bestEffort("a failed write has stopped the session already", this.finish(run.turn, result))
    this.running = undefined
    this.isHeld = result?.state === "failed"
    this.drain()
    if (this.open.size === 0) this.host.rest()
  }

  private async finish(turn: OpenTurn, result: TurnResult): Promise<void> {
    // A turn whose end is lost in a power cut is run again from its record, and ends in the same way.
    await this.log.append(turn, { kind: "end", result }, result.state !== "done")
    this.open.delete(turn.turnId)
    this.ended.add(turn.turnId)
    this.results.set(turn.turnId, result)
    if (this.results.size > keptResults) this.results.delete(this.results.keys().next().value!)
    turn.settle(result)
  }

  /** Ends a turn that does not run, with the children that it had in a process that died. */
  private async abortIdle(turn: OpenTurn, reason: string): Promise<void> {
    turn.isStopping = true
    this.queue = this.queue.filter((queued) => queued !== turn)
    await turn.accepted
    for (const child of childrenOf(turn)) await this.host.abortChild(child, `parent aborted: ${reason}`)
    await this.finish(turn, { state: "aborted", reason })
    this.drain()
  }

  private async endWait(turn: OpenTurn, wait: Wait, body: WaitEnd): Promise<boolean> {
    // The end that is being written is the first, unless it cannot be written.
    while (wait.ending) await bestEffort("the next end is written instead", wait.ending)
    // What ends a call when its session is let go of is no end of what the call waits for.
    if (wait.end || turn.isStopping || this.failure) return false
    wait.ending = this.log.append(turn, body, body.kind === "answer")
    try {
      await wait.ending
      return true
    } finally {
      wait.ending = undefined
    }
  }

  /** The journal refuses records: what is in memory is not the truth any more, and the next look reads it again. */
  private stop(error: unknown): void {
    if (this.failure) return
    this.failure = { error }
    this.running?.suspend("journal", error)
    void this.playing.then(() => {
      for (const turn of this.open.values()) turn.leave(error)
      this.feed.close()
      this.host.forget(this)
    })
  }

  private requireUsable(): void {
    if (this.failure) throw this.failure.error
  }

  private async recorded(turnId: string): Promise<readonly TurnRecord[]> {
    if (!this.ended.has(turnId)) return []
    return (await this.host.journal.records(this.id)).filter((record) => record.turnId === turnId)
  }
}

const pageSize = 512
const keptResults = 16

function requireSameInput(turn: OpenTurn, input: Json): void {
  if (turn.input === input || canonicalJson(turn.input) === canonicalJson(input)) return
  const message = `Cannot start turn "${turn.turnId}": a turn with this id and another input is open; use a new id`
  throw new ToolError("conflict", message)
}

function endsWait(record: TurnRecord, name: string): boolean {
  return (record.kind === "answer" || record.kind === "expired") && record.name === name
}

function childrenOf(turn: OpenTurn): readonly ChildTurn[] {
  return [...turn.unclaimed.values()].filter(({ kind }) => kind === "intent").flatMap(({ key }) => childOf(key) ?? [])
}
