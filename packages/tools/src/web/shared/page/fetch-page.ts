import { type Context, type HttpResponse, ToolError } from "@haft/contract"
import { charsetOf, contentKind } from "./content-kind.js"
import { decodeBody } from "./decode-body.js"
import { linkImages } from "./link-images.js"
import { requireAddress, shownAddress } from "./web-address.js"

/** What fetching a page needs of the context of a call. */
export type PageContext = Pick<Context<{ net: { hosts: readonly string[] } }>, "network" | "compute" | "signal">

/** Which form of a page is wanted, and within which bounds. */
export interface PageRequest {
  readonly url: string
  /** `html` is the page itself, the others are its article. */
  readonly format: "markdown" | "text" | "html"
  /** For all requests together. */
  readonly timeoutMs: number
  /** True where any status is an answer, not a failure. */
  readonly anyStatus?: boolean
}

/** A page that was read. */
export interface Page {
  /** Where it came from, after redirects. */
  readonly url: string
  readonly status: number
  readonly statusText: string
  readonly mediaType: string
  readonly byteCount: number
  readonly title?: string
  readonly text: string
  /** The addresses that sent the reader on, in order. */
  readonly redirects: readonly string[]
  /** Names of the parameters that were taken out of the address before it was sent. */
  readonly removed: readonly string[]
  /** True when there is next to nothing to read without the page's scripts. */
  readonly needsScript: boolean
}

const maxBytes = 5 * 1024 * 1024
const maxRedirects = 10
// Pages that only send their readers on; a browser would go on for ever.
const maxRefreshes = 3

/** Fetches an address and words what is there; every address on the way is judged by the network before it is asked. */
export async function fetchPage(request: PageRequest, context: PageContext): Promise<Page> {
  const deadline = Date.now() + request.timeoutMs
  const removed = new Set<string>()
  const redirects: string[] = []
  let next = request.url
  for (let refreshes = 0; ; refreshes += 1) {
    const clean = withoutSecrets(requireAddress(next).url)
    for (const name of clean.removed) removed.add(name)
    const response = await context.network.fetch({
      url: clean.url,
      headers: { accept: "text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,*/*;q=0.8" },
      timeoutMs: refreshes === 0 ? request.timeoutMs : Math.max(1, deadline - Date.now()),
      maxBytes,
      maxRedirects,
    })
    redirects.push(...response.redirects)
    const { refresh, ...page } = await readAnswer(response, request, context)
    if (!isSuccess(response) && !request.anyStatus) throw statusFailure(response, page.text)
    if (refresh === undefined || refreshes === maxRefreshes) return { ...page, redirects, removed: [...removed] }
    redirects.push(page.url)
    next = refresh
  }
}

type AnswerPage = Omit<Page, "removed" | "redirects"> & { readonly refresh?: string }

async function readAnswer(response: HttpResponse, request: PageRequest, context: PageContext): Promise<AnswerPage> {
  const { url, status, statusText, headers, body } = response
  const { kind, mediaType } = await contentKind(response)
  const page = { url, status, statusText, mediaType, byteCount: body.length, needsScript: false }
  if (body.length === 0) return { ...page, text: "" }
  const shown = (text: string) => (request.format === "html" ? text : linkImages({ text, mediaType, url }))
  if (kind === "pdf") return { ...page, text: shown(await pdfText(response, context)) }
  if (kind === "binary") {
    if (!isSuccess(response)) return { ...page, text: "" }
    throw unsupported(response, mediaType)
  }
  const source = await decodeBody(body, {
    header: charsetOf(headers["content-type"]),
    isMarkup: kind === "html" || mediaType.endsWith("xml"),
  })
  if (kind === "text") return { ...page, text: shown(source) }
  return { ...page, ...(await pageText(source, url, request, context)) }
}

async function pageText(source: string, url: string, { format }: PageRequest, { compute, signal }: PageContext) {
  const { text, title, refresh, needsScript } = await compute.convertHtml(source, {
    url,
    to: format === "markdown" ? "markdown" : "text",
    part: format === "html" ? "all" : "article",
    signal,
  })
  return {
    // Plain text of a page may hold what Markdown reads as an image; in its Markdown that is escaped.
    text: format === "html" ? source : format === "text" ? linkImages({ text, mediaType: "text/plain", url }) : text,
    needsScript,
    ...(title !== undefined && { title }),
    ...(refresh !== undefined && { refresh }),
  }
}

async function pdfText({ body }: HttpResponse, { compute, signal }: PageContext): Promise<string> {
  const pages = await compute.pdfText(body, { signal })
  return pages
    .map((page) => page.trim())
    .join("\n\n")
    .trim()
}

function unsupported({ url, body }: HttpResponse, mediaType: string): ToolError {
  const what = `${mediaType}, ${body.length} bytes`
  return new ToolError("unsupported", `Cannot read "${shownAddress(url)}": it is no text but ${what}`, {
    hint: "Fetch a page that describes it",
  })
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300
}

/** The failure behind a status other than 2xx, with the beginning of what the server says. */
function statusFailure({ url, status, statusText, headers }: HttpResponse, words: string): ToolError {
  const answer = `Cannot fetch "${shownAddress(url)}": the server answers ${[status, statusText].filter(Boolean).join(" ")}`
  const excerpt = words.replace(/\s+/g, " ").trim().slice(0, 200)
  const message = excerpt === "" ? answer : `${answer}: ${excerpt}`
  if (status === 404 || status === 410) {
    return new ToolError("not_found", message, {
      hint: ["Check the address", { say: "Search for the page with {tool:web_search|web_search_engines}" }],
    })
  }
  if (status === 429) {
    const wait = headers["retry-after"]
    const hint = wait === undefined ? "Wait before the next call to this host" : `Wait ${waitWords(wait)}`
    return new ToolError("rate_limited", message, { hint, details: { retry_after: wait } })
  }
  if (status >= 500) return new ToolError("unavailable", message, { hint: "Try again later" })
  return new ToolError("backend", message, { hint: statusHints[status] ?? "Try another address" })
}

function waitWords(retryAfter: string): string {
  return /^\d+$/.test(retryAfter) ? `${retryAfter} seconds` : `until ${retryAfter.slice(0, 40)}`
}

const statusHints: Readonly<Record<number, string>> = {
  401: "The page needs a login, which this tool has not; try another source",
  403: "The site refuses this client; try another source",
  402: "The page is paid for; try another source",
  451: "The page is not available here for legal reasons; try another source",
}

/** An address without its secrets. */
interface CleanAddress {
  readonly url: string
  /** Names of the parameters that were taken out. */
  readonly removed: readonly string[]
}

/** Takes out the parameters whose names say that their values are secrets: others can read what a server gets. */
function withoutSecrets(url: string): CleanAddress {
  const parsed = new URL(url)
  const removed = [...new Set(parsed.searchParams.keys())].filter(isSecretName)
  // Nothing is written anew where nothing is taken out: servers may care about the spelling of a query.
  if (removed.length === 0) return { url, removed }
  for (const name of removed) parsed.searchParams.delete(name)
  return { url: parsed.href, removed }
}

function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll("-", "_")
  return secretNames.has(plain) || /^x_(?:amz|goog)_/.test(plain)
}

const secretNames = new Set([
  "access_token",
  "api_key",
  "apikey",
  "auth",
  "authorization",
  "cookie",
  "credential",
  "id_token",
  "key",
  "passwd",
  "password",
  "refresh_token",
  "secret",
  "session",
  "sessionid",
  "sig",
  "signature",
  "token",
])
