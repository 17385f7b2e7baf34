import { linkImages } from "../page/link-images.js"

/** A result as a provider words it. */
export interface RawResult {
  readonly title: string | undefined
  /** Absolute or relative to the answer. */
  readonly url: string | undefined
  readonly snippet?: string | undefined
  /** Date of the page as the provider gives it. */
  readonly published?: string | undefined
}

/** A result that can be shown: an http or https address, words on one line and of bounded length. */
export interface FoundResult {
  readonly title: string
  readonly url: string
  readonly snippet: string
  readonly published?: string
}

/** The result in the shape that all providers share; undefined when it leads nowhere. */
export function foundResult(raw: RawResult, base: string): FoundResult | undefined {
  const url = webAddress(raw.url, base)
  if (url === undefined) return undefined
  const published = oneLine(raw.published, maxDateLength)
  return {
    title: oneLine(raw.title, maxTitleLength) || url.host,
    url: url.href,
    snippet: oneLine(raw.snippet, maxSnippetLength),
    ...(published === "" ? {} : { published }),
  }
}

const maxUrlLength = 4096
const maxTitleLength = 300
const maxSnippetLength = 1000
const maxDateLength = 40

function webAddress(address: string | undefined, base: string): URL | undefined {
  if (!address || address.length > maxUrlLength || !URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined
  // A name and a password in a result can only be there to mislead.
  url.username = ""
  url.password = ""
  return url
}

function oneLine(words: string | undefined, maxLength: number): string {
  // Characters that nobody sees can only mislead, but for the two that join and part letters.
  const seen = (words ?? "").replace(/(?![\u200c\u200d])\p{Cf}/gu, "")
  const line = linkImages({ text: seen.replace(/[\s\p{Cc}]+/gu, " ").trim(), mediaType: "text/plain", url: "" })
  if (line.length <= maxLength) return line
  // Not between the halves of a character.
  return `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "")}…`
}
