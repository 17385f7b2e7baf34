import type { HttpResponse } from "@haft/contract"
import { detectEncoding } from "../../../files/shared/text/index.js"

/** What the body of an answer is. */
export interface ContentKind {
  readonly kind: "html" | "text" | "pdf" | "binary"
  /** As the server says; where it says nothing, what the bytes look like. */
  readonly mediaType: string
}

/** Finds out what an answer holds: the server's word counts, unless the bytes prove it wrong. */
export async function contentKind({ headers, body }: HttpResponse): Promise<ContentKind> {
  const named = mediaTypeOf(headers["content-type"])
  if (startsWith(body, "%PDF-")) return { kind: "pdf", mediaType: "application/pdf" }
  const image = imageType(body)
  if (image !== undefined) return { kind: "binary", mediaType: image }
  if (named !== undefined && isHtml(named)) return { kind: "html", mediaType: named }
  if (named !== undefined && isBinary(named)) return { kind: "binary", mediaType: named }
  if (named !== undefined && (isText(named) || charsetOf(headers["content-type"]) !== undefined)) {
    return { kind: (await looksBinary(body)) ? "binary" : "text", mediaType: named }
  }
  if (await looksBinary(body)) return { kind: "binary", mediaType: named ?? "application/octet-stream" }
  return looksLikeHtml(body)
    ? { kind: "html", mediaType: "text/html" }
    : { kind: "text", mediaType: named ?? "text/plain" }
}

/** The charset of a content type, in lower case. */
export function charsetOf(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType ?? "")?.[1]?.toLowerCase()
}

function mediaTypeOf(contentType: string | undefined): string | undefined {
  const type = contentType?.split(/[;,]/, 1)[0]?.trim().toLowerCase()
  // The word of a server for a file that it knows nothing about.
  return type === undefined || !type.includes("/") || type === "application/octet-stream" ? undefined : type
}

function isHtml(type: string): boolean {
  return type === "text/html" || type === "application/xhtml+xml"
}

function isText(type: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|toml)$|^application\/(?:.*(?:json|xml|javascript|ecmascript|yaml|toml|sql|graphql|x-sh|x-www-form-urlencoded|typescript|rtf))$/.test(
    type,
  )
}

function isBinary(type: string): boolean {
  return /^(?:image|audio|video|font)\//.test(type) && !type.endsWith("+xml")
}

async function looksBinary(body: Uint8Array): Promise<boolean> {
  return (await detectEncoding(body, { sampleBytes: 65_536 })) === "binary"
}

function looksLikeHtml(body: Uint8Array): boolean {
  const beginning = afterComments(new TextDecoder("latin1").decode(body.subarray(0, 1024)))
  return /^<(?:!doctype html|html|head|body|title|script|meta)\b/i.test(beginning)
}

/** One comment after the other: a pattern that could end a comment at any of many places would try all of them. */
function afterComments(markup: string): string {
  let rest = markup.trimStart()
  while (rest.startsWith("<!--")) {
    const end = rest.indexOf("-->", 4)
    if (end < 0) return ""
    rest = rest.slice(end + 3).trimStart()
  }
  return rest
}

function imageType(body: Uint8Array): string | undefined {
  return imageMarks.find(([mark]) => startsWith(body, mark))?.[1]
}

const imageMarks: readonly (readonly [string, string])[] = [
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["\xff\xd8\xff", "image/jpeg"],
  ["GIF87a", "image/gif"],
  ["GIF89a", "image/gif"],
]

function startsWith(body: Uint8Array, mark: string): boolean {
  return body.length >= mark.length && [...mark].every((sign, at) => body[at] === sign.charCodeAt(0))
}
