/** One request to run one tool. */
export interface CallRequest {
  /** Any name the tool goes by. */
  readonly name: string
  /** Raw arguments; validated before anything happens. */
  readonly arguments: unknown
  /** Aborts the call. */
  readonly signal?: AbortSignal
  /** `once`: the person who typed the arguments answers the asks of this one call in advance. */
  readonly answer?: "once"
}
