import type { Dialect } from "@haft/contract"

/** One request to run one tool. */
export interface CallRequest {
  /** Any name the tool goes by. */
  readonly name: string
  /** Raw arguments; validated before anything happens. */
  readonly arguments: unknown
  /** The system whose name and arguments these are; ours by default. */
  readonly dialect?: Dialect
  /** Aborts the call. */
  readonly signal?: AbortSignal
  /** True when a model asked for the call: repeating it to no effect is then noticed. */
  readonly fromModel?: boolean
  /** `once`: the person who typed the arguments answers the asks of this one call in advance. */
  readonly answer?: "once"
}
