import type { ErrorCode } from "@haft/contract"

/** One piece of work for a worker. */
export interface Job {
  readonly name: "pdfText" | "fitImage" | "convertHtml" | "selectHtml" | "calculate" | "analyzeBash"
  /** What is done, for messages: "read the PDF". */
  readonly action: string
  /** Bytes are copied and handed over; everything else must be plain data. */
  readonly request: { readonly bytes?: Uint8Array; readonly [key: string]: unknown }
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** What a worker says at the end of a job. */
export type Answer =
  | { readonly value: unknown }
  | { readonly failure: { readonly code: ErrorCode; readonly reason: string } }
