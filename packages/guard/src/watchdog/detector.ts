import type { AnyManifest } from "@haft/contract"

/** An earlier call of the session, by its digests. */
export interface RecentCall {
  readonly tool: string
  readonly argumentsHash: string
  readonly resultHash: string
}

/** What a detector sees of a call: validated, frozen arguments and who asks; nothing that it could act with. */
export interface WatchdogRequest {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Digest of the arguments, made like those of `recent`; without it no repetition can be seen. */
  readonly argumentsHash?: string
  readonly manifest: AnyManifest
  readonly sessionId: string
  /** The calls before this one, oldest first. */
  readonly recent: readonly RecentCall[]
}

/** What a detector says; it can refuse what was allowed, never the reverse. */
export type DetectorVerdict =
  | { readonly verdict: "allow" }
  | { readonly verdict: "deny" | "ask"; readonly reason: string }

/** A tripwire over arguments. A throw or an answer after the deadline counts as ask. */
export interface Detector {
  readonly id: string
  /** What it looks for, in a sentence for people. */
  readonly about: string
  inspect(request: WatchdogRequest): DetectorVerdict | Promise<DetectorVerdict>
}
