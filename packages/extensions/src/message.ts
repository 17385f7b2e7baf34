/** What the host tells a worker, one message a line. */
export type ToWorker =
  /** The sandbox holds: the code of the extension may be loaded. */
  | { readonly type: "begin" }
  | { readonly type: "invoke"; readonly id: number; readonly tool: string; readonly args: unknown }
  | { readonly type: "cancel"; readonly id: number }
  | { readonly type: "answer"; readonly id: number; readonly result?: unknown; readonly error?: string }

/** What a worker tells the host. Nothing of it is believed. */
export type FromWorker =
  | { readonly type: "ready" }
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "result"; readonly id: number; readonly result?: unknown; readonly error?: string }
  | {
      readonly type: "request"
      readonly id: number
      readonly call: number
      readonly tool: string
      readonly args: unknown
    }
  | { readonly type: "attempt"; readonly what: string }
