import type { ErrorKind } from "./error-kind.js"

/** What A3S Code gets from a tool. */
export interface A3sOutput {
  /** What the model reads. */
  readonly content: string
  readonly success: boolean
  readonly metadata: Readonly<Record<string, unknown>>
  /** Pictures that belong to the result; absent when there are none. */
  readonly images?: readonly { readonly media_type: string; readonly data: string }[]
}

/** The output of a call that worked. */
export function worked(content: string, metadata: Readonly<Record<string, unknown>> = {}): A3sOutput {
  return { content, success: true, metadata }
}

/** The output of a call that A3S counts as failed. */
export function failed(
  content: string,
  kind: ErrorKind | undefined,
  metadata: Readonly<Record<string, unknown>> = {},
): A3sOutput {
  return { content, success: false, metadata: kind === undefined ? metadata : { ...metadata, error_kind: kind } }
}
