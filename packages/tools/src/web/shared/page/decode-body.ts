import { detectEncoding } from "../../../files/shared/text/index.js"

/** What is said about the encoding of a body. */
export interface EncodingWords {
  /** The charset of the content type. */
  readonly header?: string | undefined
  /** True where the body may name its charset itself. */
  readonly isMarkup: boolean
}

/**
 * The text of a body: the byte order mark decides, then what is said, unless the bytes prove it wrong. Servers and pages
 * often name a charset that is not theirs; text that is well-formed UTF-8 by chance is as good as impossible.
 */
export async function decodeBody(body: Uint8Array, words: EncodingWords): Promise<string> {
  const marked = byteOrderMark(body)
  if (marked !== undefined) return new TextDecoder(marked).decode(body)
  const unicode = decodeStrictly(body, "utf-8")
  const isAscii = unicode?.length === body.length
  if (unicode !== undefined && !isAscii) return unicode
  const said = [words.header, ...(words.isMarkup ? [charsetInMarkup(body)] : [])].filter(isDecodable)
  // UTF-16 with nothing but ASCII in it is none; other encodings may hide all of their letters behind ASCII.
  const named = isAscii && !unicode.includes("\0") ? said.filter((charset) => !charset.startsWith("utf-16")) : said
  for (const charset of named) {
    const text = decodeStrictly(body, charset)
    if (text !== undefined) return text
  }
  const detected = await detectEncoding(body, { sampleBytes: 262_144 })
  const guess = detected === "binary" ? undefined : detected.encoding
  // A few broken characters are no reason to doubt what is said.
  const charset = isDecodable(guess) && guess !== "utf-8" ? (likelier(body, named[0], guess) ?? guess) : named[0]
  return new TextDecoder(charset ?? "utf-8").decode(body)
}

function byteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  if (first === 0xff && second === 0xfe) return "utf-16le"
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined
}

/** What a page or an XML document says about itself within its beginning. */
function charsetInMarkup(body: Uint8Array): string | undefined {
  const beginning = new TextDecoder("latin1").decode(body.subarray(0, 4096))
  const found =
    /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w:.-]+)/i.exec(beginning) ??
    /^\s*<\?xml\b[^>]*\bencoding\s*=\s*["']([\w:.-]+)/i.exec(beginning)
  const charset = found?.[1]?.toLowerCase()
  // What could be read as ASCII so far is no UTF-16.
  return charset?.startsWith("utf-16") ? "utf-8" : charset
}

function decodeStrictly(body: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** The charset that leaves fewer bytes unread; the one that was said where they are equal. */
function likelier(body: Uint8Array, said: string | undefined, guessed: string): string | undefined {
  if (said === undefined) return undefined
  return unread(body, said) <= unread(body, guessed) + body.length / 500 ? said : guessed
}

function unread(body: Uint8Array, charset: string): number {
  const text = new TextDecoder(charset).decode(body.subarray(0, 262_144))
  return text.split("\ufffd").length - 1
}

function isDecodable(charset: string | undefined): charset is string {
  if (charset === undefined) return false
  try {
    return new TextDecoder(charset) !== undefined
  } catch {
    return false
  }
}
