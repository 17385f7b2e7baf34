/** Pure work done apart from the main thread, with a time and a memory cap. */
export interface Compute {
  /** Text of each page of a PDF. */
  pdfText(bytes: Uint8Array, options: ComputeOptions): Promise<readonly string[]>
  /** The image made small enough for models, in a format they take; unchanged when it already is. */
  fitImage(bytes: Uint8Array, options: FitImageOptions): Promise<FittedImage>
  /** A page as Markdown or plain text: its article, or all of it. */
  convertHtml(html: string, options: ConvertHtmlOptions): Promise<ConvertedHtml>
  /** The text and the attributes of elements, by CSS selectors; for pages whose structure is known. */
  selectHtml(html: string, options: SelectHtmlOptions): Promise<readonly Readonly<Record<string, string>>[]>
  /** The value of a mathematical expression, or what becomes of it. Not an expression: `invalid_args`. */
  calculate(request: CalculateRequest, options: ComputeOptions): Promise<CalculatedValue>
  /** What a line for bash would do, in the words of the guard, for one that is too long to be read at once. */
  analyzeBash?(text: string, place: CommandPlace, options: ComputeOptions): Promise<unknown>
}

/** Where a command would run. */
export interface CommandPlace {
  readonly directory: string
  readonly home: string
  readonly roots: readonly string[]
}

/** How a page is turned into text. */
export interface ConvertHtmlOptions extends ComputeOptions {
  /** Where the page came from: links become absolute. */
  readonly url: string
  readonly to: "markdown" | "text"
  /** `article` leaves out navigation and the like where an article is found; `all` keeps the whole page. */
  readonly part: "article" | "all"
}

/** A page as text. */
export interface ConvertedHtml {
  readonly text: string
  readonly title?: string
  /** The part that was taken: `all` also where no article was found. */
  readonly part: "article" | "all"
  /** True when the page is next to empty without its scripts. */
  readonly needsScript: boolean
  /** Target of a `<meta http-equiv="refresh">`, absolute. */
  readonly refresh?: string
}

/** What to take out of a page: one record for each element that `row` finds. */
export interface SelectHtmlOptions extends ComputeOptions {
  readonly row: string
  /** Name of a field to the selector below the row; `selector@attribute` for an attribute, `@attribute` for one of the row. */
  readonly fields: Readonly<Record<string, string>>
  readonly maxRows: number
}

/** A piece of mathematics. */
export type CalculateRequest =
  | {
      readonly operation: "evaluate"
      readonly expression: string
      readonly variables?: Readonly<Record<string, number>>
      /** Decimal places to round to. */
      readonly precision?: number
    }
  | { readonly operation: "differentiate"; readonly expression: string; readonly variable: string }

/** A scalar; everything else that an expression can become is `invalid_args`. */
export type CalculatedValue = number | string | boolean

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
