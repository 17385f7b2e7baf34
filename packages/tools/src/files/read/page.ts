import type { OutputOf } from "@haft/contract"
import { type DetectedEncoding, decodeWindow, detectEncoding } from "../shared/text/index.js"
import type { manifest } from "./index.js"

/** A page of text; the file's media type is added by the caller. */
export type Page = Omit<OutputOf<typeof manifest>, "media_type" | "image" | "head">

/** What every page needs to know about its text. */
export interface PageRequest {
  /** The file as the caller named it, for messages. */
  readonly path: string
  /** Bytes of the file that the page may hold. */
  readonly maxBytes: number
  /** Bytes that the page's text may have in UTF-8. */
  readonly maxContentBytes: number
  readonly encoding: DetectedEncoding
}

/**
 * Makes a page of the file. A text in another encoding may be shorter than in UTF-8, by a factor of three at most: a page
 * that came out too large is made again from a third of the bytes.
 */
export async function fittingPage<Request extends PageRequest>(
  request: Request,
  make: (request: Request) => Promise<Page>,
): Promise<Page> {
  const page = await make(request)
  const mayGrow = page.encoding !== "utf-8" || page.encoding_guessed === true
  if (!mayGrow || utf8Bytes(page.content) <= request.maxContentBytes) return page
  return make({ ...request, maxBytes: Math.floor(request.maxContentBytes / 3) })
}

function utf8Bytes(content: string): number {
  return new TextEncoder().encode(content).length
}

/**
 * The encoding of a piece of a file. The beginning of a large file may be plain ASCII and say nothing about the rest, so
 * a piece that is not the UTF-8 it should be is looked at by itself.
 */
export async function pieceEncoding(piece: Uint8Array, file: DetectedEncoding): Promise<DetectedEncoding> {
  if (file.encoding !== "utf-8" || file.guessed) return file
  const found = await detectEncoding(piece)
  if (found === "binary" || found.encoding.startsWith("utf-16")) return { ...file, guessed: true }
  return found
}

/** The fields of a page that come from its decoded text. */
export async function decodedFields(piece: Uint8Array, { encoding, guessed }: DetectedEncoding) {
  return {
    content: await decodeWindow(piece, encoding),
    encoding,
    ...(guessed && { encoding_guessed: true as const }),
  }
}
