import type { Attachment, Compute, OpenFile, OutputOf } from "@haft/contract"
import type { manifest } from "./index.js"
import type { ImageType } from "./line-page.js"
import { readWhole } from "./read-whole.js"

// Photographs of today's cameras fit; what is larger is no picture for a model.
const maxImageBytes = 64 * 1024 * 1024
// What model providers take without scaling the image themselves, and what stays below 5 MB in base64.
const fit = { maxEdge: 1568, maxBytes: 3_500_000 }

interface ImageRequest {
  readonly path: string
  readonly mediaType: ImageType
  readonly context: { readonly compute: Compute; readonly signal: AbortSignal; attach(attachment: Attachment): void }
}

/** Attaches the image, made small enough for models, and tells its facts. */
export async function readImage(file: OpenFile, request: ImageRequest): Promise<OutputOf<typeof manifest>> {
  const { path, mediaType, context } = request
  const bytes = await readWhole(file, { path, maxBytes: maxImageBytes })
  const image = await context.compute.fitImage(bytes, { signal: context.signal, mediaType, ...fit })
  context.attach({ mediaType: image.mediaType, data: base64(image.bytes), name: path.split(/[\\/]/).at(-1) ?? path })
  const { width, height, resized } = image
  return {
    content: "",
    start_line: 0,
    line_count: 0,
    eof: true,
    encoding: "binary",
    media_type: mediaType,
    image: { media_type: image.mediaType, width, height, bytes: image.bytes.length, resized },
  }
}

// Small enough that a chunk's characters fit on the call stack, and a multiple of three so that chunks join without padding.
const chunkBytes = 24_576

/** The bytes in base64. */
function base64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + chunkBytes))))
  }
  return parts.join("")
}
