import { type Json, ToolError } from "@haft/contract"
import type { OpenTurn } from "./open-turn.js"
import type { TurnHost } from "./turn-host.js"

/** A turn of another session. */
export interface ChildTurn {
  readonly sessionId: string
  readonly turnId: string
}

/** The key of the step that runs a child. */
export function childKey({ sessionId, turnId }: ChildTurn): string {
  return `child ${sessionId} ${turnId}`
}

/** The child that a step runs, by the key of the step. */
export function childOf(key: string): ChildTurn | undefined {
  const [, sessionId, turnId] = /^child (\S+) (\S+)$/.exec(key) ?? []
  return sessionId && turnId ? { sessionId, turnId } : undefined
}

/** The turns of other sessions that a run waits for: an abort of the run is theirs too. */
export class Children {
  private readonly turn: OpenTurn
  private readonly host: TurnHost
  private readonly running = new Set<ChildTurn>()
  private reason: string | undefined

  constructor(turn: OpenTurn, host: TurnHost) {
    this.turn = turn
    this.host = host
  }

  /** Starts a child and waits for its end. */
  async run(child: ChildTurn, input: Json): Promise<Json> {
    if (child.sessionId === this.turn.sessionId) {
      throw new ToolError("invalid_args", "Cannot run a child turn in its parent's session: name another session")
    }
    this.running.add(child)
    try {
      // An abort after a crash finds the child by this mark.
      await this.host.append(this.turn, { kind: "intent", key: childKey(child) }, false)
      await this.host.startChild(child, input)
      // An abort that came while the child was being started did not find it.
      if (this.reason !== undefined) await this.host.abortChild(child, this.reason)
      return (await this.host.childResult(child)) as unknown as Json
    } finally {
      this.running.delete(child)
    }
  }

  abort(reason: string): void {
    this.reason = `parent aborted: ${reason}`
    for (const child of this.running) void this.host.abortChild(child, this.reason)
  }
}
