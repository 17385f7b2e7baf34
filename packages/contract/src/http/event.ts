import type { SessionEvent } from "../event.js"
import type { ApiAsk, ApiSession } from "./session.js"

/**
 * A frame of `GET /api/sessions/:id/events?from=CURSOR`. The stream begins with `reset` (forget what you have: the journal
 * follows) or goes on after the cursor. Frames after `live` have an `id`, which is the cursor to go on from; until then there
 * is none, and a reader that is cut off begins again without one. Pieces (`*-delta`) may be missing for a reader that is
 * behind: what follows them is whole.
 */
export type ApiEventFrame =
  /** Forget everything: the stream starts from the beginning. */
  | { readonly event: "reset"; readonly data: { readonly reason: "start" | "restart" | "behind" } }
  /** What the journal has, or what happens now. */
  | { readonly event: "event"; readonly id?: string; readonly data: SessionEvent }
  /** The journal is through; from here on everything is as it happens. */
  | { readonly event: "live"; readonly id: string; readonly data: Record<string, never> }
  /** The reader is too slow: the stream ends, connect again with your cursor. */
  | { readonly event: "behind"; readonly data: Record<string, never> }
  /** The server stops: connect again. */
  | { readonly event: "bye"; readonly data: Record<string, never> }

/**
 * A frame of `GET /api/events`: the whole of what is pending here, at the start and after each change. A slow reader gets the
 * newest only.
 */
export interface ApiOverview {
  readonly asks: readonly ApiAsk[]
  /** Sessions that this server drives. */
  readonly open: readonly ApiSession[]
}
