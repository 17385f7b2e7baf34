import { type Context, type HttpResponse, ToolError } from "@haft/contract"
import { charsetOf, contentKind } from "./content-kind.js"
import { decodeBody } from "./decode-body.js"
import { linkImages } from "./link-images.js"
import { statusFailure } from "./status-failure.js"
import { requireAddress, shownAddress } from "./web-address.js"
import { withoutSecrets } from "./without-secrets.js"

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
    const { refresh, ...page } = await readAnswer(response, request, context)
    if (!isSuccess(response) && !request.anyStatus) throw statusFailure(response, page.text)
    if (refresh === undefined || refreshes === maxRefreshes) return { ...page, removed: [...removed] }
    next = refresh
  }
}

type AnswerPage = Omit<Page, "removed"> & { readonly refresh?: string }

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
