import { type Execute, ToolError } from "@haft/contract"
import { fetchPage, type Page } from "../shared/page/fetch-page.js"
import { shownAddress } from "../shared/page/web-address.js"
import type { manifest } from "./index.js"

/** Fetches a page and gives its content in the wanted form. */
export const execute: Execute<typeof manifest> = async ({ url, format, timeout }, context) => {
  const page = await fetchPage({ url, format, timeoutMs: timeout * 1000 }, context)
  // An empty success would tell that the page says nothing, which is not known.
  if (page.needsScript && format !== "html") throw scriptsNeeded(page)
  const { status, mediaType, title, redirects } = page
  if (redirects.length > 0) context.setState({ redirects: redirects.map((address) => shownAddress(address)) })
  return {
    url: page.url,
    status,
    content_type: mediaType,
    ...(title !== undefined && { title }),
    content: [...notes(page), page.text].join("\n\n").trim(),
  }
}

function notes({ removed, text, mediaType }: Page): readonly string[] {
  return [
    ...(removed.length > 0 ? [`[Left out of the address before it was sent: ${removed.join(", ")}]`] : []),
    ...(text.trim() === "" ? [emptyNotes[mediaType] ?? "[The page is empty]"] : []),
  ]
}

const emptyNotes: Readonly<Record<string, string>> = {
  "application/pdf": "[The PDF holds no text; its pages may be scanned images]",
}

function scriptsNeeded({ url, title, text }: Page): ToolError {
  const said = [title, text.replace(/\s+/g, " ").trim().slice(0, 200)].filter(Boolean).join(": ")
  const reason = "the page is empty until a browser runs its scripts, which this tool does not"
  return new ToolError(
    "unsupported",
    `Cannot read "${shownAddress(url)}": ${reason}${said === "" ? "" : `; it says "${said}"`}`,
    {
      hint: ["Try an API, a feed or another source", { say: "{key:format} html gives the source of the page" }],
    },
  )
}
