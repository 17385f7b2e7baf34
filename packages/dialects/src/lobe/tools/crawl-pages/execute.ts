import { type Execute, type OutputOf, ToolError } from "@haft/contract"
import { type Page as FetchedPage, fetchPage, type PageContext } from "@haft/tools/web/shared/page/fetch-page.js"
import { shownAddress } from "@haft/tools/web/shared/page/web-address.js"
import type { manifest } from "./manifest.js"

type Page = OutputOf<typeof manifest>["pages"][number]

/** How many pages are read at the same time: enough to be quick, few enough to be polite. */
const atOnce = 4
const pageTimeoutMs = 30_000

/** Reads every page on its own; only the caller's own end ends all of them. */
export const execute: Execute<typeof manifest> = async ({ urls }, context) => {
  const pages: Page[] = []
  for (let start = 0; start < urls.length; start += atOnce) {
    const batch = urls.slice(start, start + atOnce)
    pages.push(...(await Promise.all(batch.map((url) => pageOrError(url, context)))))
  }
  const failed = pages.filter(({ error }) => error !== undefined).length
  return { pages: within(pages, context.limit), failed }
}

async function pageOrError(url: string, context: PageContext): Promise<Page> {
  try {
    return pageOf(url, await fetchPage({ url, format: "markdown", timeoutMs: pageTimeoutMs }, context))
  } catch (error) {
    context.signal.throwIfAborted()
    if (!ToolError.is(error)) throw error
    return { url, content: "", error: error.message, error_code: error.code }
  }
}

function pageOf(asked: string, { url, status, mediaType, title, text, removed, needsScript }: FetchedPage): Page {
  if (needsScript) {
    const reason = "the page is empty until a browser runs its scripts"
    throw new ToolError("unsupported", `Cannot read "${shownAddress(url)}": ${reason}`)
  }
  const note = removed.length === 0 ? "" : `[Left out of the address before it was sent: ${removed.join(", ")}]\n\n`
  return {
    url: asked,
    final_url: url,
    status,
    content_type: mediaType,
    ...(title !== undefined && { title }),
    content: note + text,
  }
}

/** Long pages are cut, each to its fair share of the limit. */
function within(pages: readonly Page[], maxBytes: number): Page[] {
  const share = Math.floor(maxBytes / Math.max(1, pages.length))
  return pages.map((page) => ({ ...page, content: cutText(page.content, share) }))
}

/** The beginning of a text within so many bytes of UTF-8, whole characters only, with a line that says what is missing. */
export function cutText(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  while (end > 0 && (bytes[end]! & 0b1100_0000) === 0b1000_0000) end -= 1
  const left = bytes.length - end
  return `${new TextDecoder().decode(bytes.subarray(0, end))}\n[... ${left} bytes left out ...]`
}
