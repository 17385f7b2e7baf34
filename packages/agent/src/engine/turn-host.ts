import { type Json, type StepFailure, ToolError, type TurnRecordBody, type TurnResult } from "@haft/contract"
import type { ChildTurn } from "./children.js"
import type { EngineClock } from "./clock.js"
import type { OpenTurn, Wait } from "./open-turn.js"

/** What a running turn needs of its session and its engine. */
export interface TurnHost {
  readonly clock: EngineClock
  readonly uuid: () => string
  /** How long a body that was asked to stop may take to do so. */
  readonly graceMs: number
  readonly checksValues: boolean
  append(turn: OpenTurn, body: TurnRecordBody, synced: boolean): Promise<void> | undefined
  /** Records how a wait ended, unless it has ended. */
  endWait(turn: OpenTurn, wait: Wait, body: WaitEnd): Promise<boolean>
  emit(turn: OpenTurn, chunk: { readonly key: string; readonly seq: number; readonly chunk: Json }): void
  startChild(child: ChildTurn, input: Json): Promise<void>
  childResult(child: ChildTurn): Promise<TurnResult>
  abortChild(child: ChildTurn, reason: string): Promise<unknown>
}

/** The records that end a wait. */
export type WaitEnd = Extract<TurnRecordBody, { readonly kind: "answer" | "expired" }>

/** An error as a record holds it. */
export function failureOf(error: unknown): StepFailure {
  const message = error instanceof Error ? error.message : String(error)
  return ToolError.is(error) ? { message, code: error.code } : { message }
}
