import { type Compute, type Execute, type InputOf, type OpenFile, ToolError } from "@haft/contract"
import { type DetectedEncoding, detectEncoding, plainUtf8 } from "../shared/text/index.js"
import { aloneBefore, longestCharacterBytes } from "./boundary.js"
import { bytePage } from "./byte-page.js"
import { defaultLineLimit, type manifest } from "./index.js"
import { linePage, memorySource, sniffBinary, sniffMedia, type TextSource } from "./line-page.js"
import type { Page } from "./page.js"

type Input = InputOf<typeof manifest>

/** Reads a page of text, or attaches an image; the first bytes decide which, never the name alone. */
export const execute: Execute<typeof manifest> = async (input, context) => {
  refuseMixedRanges(input)
  const file = await context.files.open(input.file_path)
  try {
    const head = file.whole ?? (await file.read(0, headBytes))
    const media = sniffMedia(head)
    if (media !== undefined && media !== "application/pdf") {
      refuseRange(input, media)
      const { readImage } = await import("./read-image.js")
      return await readImage(file, { path: input.file_path, mediaType: media, context })
    }
    const isPdf = media === "application/pdf"
    const text = plainText(file, { isPdf }) ?? (await openAsText(file, { input, head, isPdf, context }))
    const page = await readPage(text, input, context.limit)
    return Object.assign(page, { media_type: text.mediaType })
  } finally {
    await file.close()
  }
}

// Enough to name the encoding of nearly every text, and for the magic bytes of every kind.
const headBytes = 65_536
// A page holds at least one character of any encoding, however small a host sets the limit: reading always goes on.
const leastPageBytes = 3 * longestCharacterBytes

interface ReadableText {
  readonly source: TextSource
  readonly encoding: DetectedEncoding
  readonly mediaType: string
}

interface OpenRequest {
  readonly input: Input
  readonly head: Uint8Array
  readonly isPdf: boolean
  readonly context: { readonly compute: Compute; readonly signal: AbortSignal }
}

/** A small file in UTF-8, which is what most reads are about; undefined for everything else. */
function plainText({ whole, path }: OpenFile, { isPdf }: Pick<OpenRequest, "isPdf">): ReadableText | undefined {
  if (whole === undefined || isPdf || isNotebook(path)) return undefined
  const text = plainUtf8(whole)
  if (text === undefined) return undefined
  return { source: memorySource(whole, text), encoding: utf8, mediaType: "text/plain" }
}

const utf8: DetectedEncoding = { encoding: "utf-8", bomBytes: 0, guessed: false }

function isNotebook(path: string): boolean {
  return path.toLowerCase().endsWith(".ipynb")
}

async function openAsText(file: OpenFile, { input, head, isPdf, context }: OpenRequest): Promise<ReadableText> {
  const path = input.file_path
  if (isPdf) {
    const { pdfText } = await import("./pdf-text.js")
    return derivedText(await pdfText(file, { path, context }), "application/pdf")
  }
  if (isNotebook(file.path)) {
    const { notebookText } = await import("./notebook-text.js")
    const cells = await notebookText(file)
    if (cells !== undefined) return derivedText(cells, "application/x-ipynb+json")
  }
  const encoding = await detectEncoding(head, head.length < file.size ? { sampleBytes: wholeBytes(head) } : {})
  if (encoding === "binary") throw isBinary(path, head, file.size)
  return { source: file.whole ? memorySource(file.whole) : file, encoding, mediaType: "text/plain" }
}

/** How much of the beginning of a file surely ends with a whole character, whatever the encoding. */
function wholeBytes(head: Uint8Array): number {
  return aloneBefore(head, head.length) || head.length - longestCharacterBytes
}

/** Text that was made from a file; its pages count the lines and bytes of that text. */
function derivedText(text: string, mediaType: string): ReadableText {
  return { source: memorySource(new TextEncoder().encode(text)), encoding: utf8, mediaType }
}

function readPage({ source, encoding }: ReadableText, input: Input, pageLimit: number): Page | Promise<Page> {
  const { file_path: path, offset, limit, byte_offset: byteOffset = 0, byte_limit: byteLimit = pageLimit } = input
  const maxContentBytes = Math.max(pageLimit, leastPageBytes)
  if (!isByteRange(input)) {
    return linePage(source, { path, encoding, maxContentBytes, maxBytes: maxContentBytes, offset, limit })
  }
  const maxBytes = Math.min(byteLimit, maxContentBytes)
  return bytePage(source, { path, encoding, maxContentBytes, maxBytes, byteOffset })
}

function isByteRange({ byte_offset, byte_limit }: Input): boolean {
  return byte_offset !== undefined || byte_limit !== undefined
}

function isLineRange({ offset, limit }: Input): boolean {
  return offset !== 0 || limit !== defaultLineLimit
}

function refuseMixedRanges(input: Input): void {
  if (!isByteRange(input) || !isLineRange(input)) return
  throw new ToolError(
    "invalid_args",
    `Cannot read "${input.file_path}" by lines and by bytes at once: leave out offset and limit, or byte_offset and byte_limit`,
  )
}

function refuseRange(input: Input, mediaType: string): void {
  if (!isByteRange(input) && !isLineRange(input)) return
  throw new ToolError("invalid_args", `Cannot read a part of "${input.file_path}": it is an image (${mediaType})`, {
    hint: [{ say: "Leave out {key:offset|limit|byte_offset|byte_limit}" }],
  })
}

function isBinary(path: string, head: Uint8Array, size: number): ToolError {
  const kind = sniffBinary(head)
  return new ToolError(
    "unsupported",
    `Cannot read "${path}": it is a binary file of ${size} ${size === 1 ? "byte" : "bytes"}${kind === undefined ? "" : `, probably ${kind}`}; only text, images, PDF and notebooks can be read`,
    { details: { size, ...(kind !== undefined && { kind }) } },
  )
}
