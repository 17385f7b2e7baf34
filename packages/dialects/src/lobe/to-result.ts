/** A failure as LobeHub's hosts and models get it. */
export interface LobeError {
  /** A stable code. */
  readonly type: "PluginServerError" | "ApiNotFound" | "ExecutorNotFound"
  readonly message: string
  readonly body?: unknown
}

/** What a LobeHub executor returns. */
export interface LobeResult {
  readonly success: boolean
  /** What the model reads; never empty. */
  readonly content: string
  /** What its faces draw: the result, never the arguments again. */
  readonly state?: unknown
  readonly error?: LobeError
}

/** What an API has to say before it is put into shape. */
export interface LobeOutput {
  readonly success: boolean
  readonly content?: string
  readonly state?: unknown
  readonly error?: LobeError
}

/** The one way out of every API: content is never empty, and a failure keeps what there is to show. */
export function toResult({ success, content, state, error }: LobeOutput): LobeResult {
  return {
    success,
    content: content || error?.message || (success ? "Done" : "The tool failed and did not say why"),
    ...(state !== undefined && { state }),
    ...(error !== undefined && !success && { error }),
  }
}
