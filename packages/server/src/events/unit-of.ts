import type { EventBody } from "@haft/contract"

/** How an event belongs to others: those of one unit are superseded, dropped and found in the journal together. */
export interface Place {
  /** Absent for an event that belongs to nothing and is not in the journal. */
  readonly unit?: string
  /** A piece of something that comes whole later. */
  readonly isPiece: boolean
  /** The unit is complete, and in the journal. */
  readonly ends: boolean
}

/** The unit of an event: a turn, a reply of a model, or a call. */
export function placeOf(event: EventBody): Place {
  switch (event.type) {
    case "turn-start":
      return { unit: units.turn(event.turn), isPiece: false, ends: false }
    case "turn-end":
      return { unit: units.turn(event.turn), isPiece: false, ends: true }
    case "text-delta":
    case "reasoning-delta":
    case "tool-input-start":
      return { unit: units.reply(event.turn, event.step), isPiece: true, ends: false }
    case "tool-input-delta":
      // The step is there at run time: every piece of a reply has it.
      return { unit: units.reply(event.turn, (event as { step?: number }).step ?? 0), isPiece: true, ends: false }
    case "reply-restart":
      return { unit: units.reply(event.turn, event.step), isPiece: false, ends: false }
    case "compaction-start":
      return { unit: units.compaction(event.turn, event.step), isPiece: true, ends: false }
    case "compaction-end":
      return { unit: units.compaction(event.turn, event.step), isPiece: false, ends: true }
    case "reply":
      return { unit: units.reply(event.turn, event.step), isPiece: false, ends: true }
    case "tool-output-delta":
      return { unit: units.call(event.call), isPiece: true, ends: false }
    case "tool-end":
      return { unit: units.call(event.call), isPiece: false, ends: true }
    case "tool-call":
    case "ask":
    case "question":
    case "answer":
    case "tool-start":
    case "child-start":
      return { unit: units.call(event.call), isPiece: false, ends: false }
    default:
      return { isPiece: false, ends: true }
  }
}

/** The names of units. */
export const units = {
  turn: (turn: string) => `turn ${turn}`,
  reply: (turn: string, step: number) => `reply ${turn} ${step}`,
  /** Begins as the reply that it makes room for, so that the end of a turn that breaks it off ends both. */
  compaction: (turn: string, step: number) => `${units.reply(turn, step)} compaction`,
  call: (call: string) => `call ${call}`,
}
