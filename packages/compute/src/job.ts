import type {
  CalculatedValue,
  CalculateRequest,
  CommandPlace,
  ConvertedHtml,
  ConvertHtmlOptions,
  ErrorCode,
  FitImageOptions,
  FittedImage,
  SelectHtmlOptions,
} from "@haft/contract"

/** What each kind of job is given: plain data, and bytes. */
export interface JobRequests {
  readonly pdfText: { readonly bytes: Uint8Array }
  readonly fitImage: { readonly bytes: Uint8Array } & Pick<FitImageOptions, "maxEdge" | "maxBytes">
  readonly convertHtml: Pick<ConvertHtmlOptions, "url" | "to" | "part"> & {
    readonly html: string
    /** Whether the slow search for an article may be tried. */
    readonly isCareful: boolean
  }
  readonly selectHtml: { readonly html: string } & Pick<SelectHtmlOptions, "row" | "fields" | "maxRows">
  readonly calculate: CalculateRequest
  readonly analyzeBash: { readonly text: string; readonly place: CommandPlace }
}

/** What each kind of job gives back. */
export interface JobResults {
  readonly pdfText: readonly string[]
  readonly fitImage: FittedImage
  readonly convertHtml: ConvertedHtml
  readonly selectHtml: readonly Readonly<Record<string, string>>[]
  readonly calculate: CalculatedValue
  readonly analyzeBash: unknown
}

export type JobName = keyof JobRequests

/** One piece of work for a worker. */
export interface Job<Name extends JobName = JobName> {
  readonly name: Name
  /** What is done, for messages: "read the PDF". */
  readonly action: string
  readonly request: JobRequests[Name]
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** What a worker is sent. */
export type JobMessage<Name extends JobName = JobName> = Pick<Job<Name>, "name" | "request">

/** What a worker says at the end of a job. */
export type Answer =
  | { readonly value: unknown }
  | { readonly failure: { readonly code: ErrorCode; readonly reason: string } }
