/** Pure work done apart from the main thread, with a time and a memory cap. */
export interface Compute {
  /** Text of each page of a PDF. */
  pdfText(bytes: Uint8Array, options: ComputeOptions): Promise<readonly string[]>
  /** The image made small enough for models, in a format they take; unchanged when it already is. */
  fitImage(bytes: Uint8Array, options: FitImageOptions): Promise<FittedImage>
}

/** Bounds of one piece of work. */
export interface ComputeOptions {
  readonly signal: AbortSignal
  readonly timeoutMs?: number
}

/** Bounds of an image. */
export interface FitImageOptions extends ComputeOptions {
  readonly mediaType: string
  readonly maxEdge: number
  readonly maxBytes: number
}

/** An image that models take. */
export interface FittedImage {
  readonly mediaType: string
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
  readonly resized: boolean
}
