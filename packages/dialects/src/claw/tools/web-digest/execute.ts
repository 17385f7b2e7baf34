import type { Execute } from "@haft/contract"
import { fetchPage, type Page } from "@haft/tools/web/shared/page/fetch-page.js"
import type { manifest } from "./index.js"
import { secureAddress } from "./secure-address.js"

const timeoutMs = 20_000
const previewLength = 900
const promptLength = 200

/** Fetches a page and answers with what can be said without a model: its title, or how it begins. */
export const execute: Execute<typeof manifest> = async ({ url, prompt }, context) => {
  const started = Date.now()
  const page = await fetchPage({ url: secureAddress(url), format: "text", timeoutMs, anyStatus: true }, context)
  return {
    bytes: page.byteCount,
    code: page.status,
    code_text: page.statusText,
    result: `Fetched ${page.url}\n${digest(page, prompt)}`,
    duration_ms: Math.max(0, Date.now() - started),
    url: page.url,
  }
}

function digest({ title, text, needsScript, removed }: Page, prompt: string): string {
  if (title !== undefined && /title/i.test(prompt)) return `Title: ${title}`
  const preview = previewOf(text) || "(the page has no text)"
  const notes = [
    ...(needsScript ? ["The page is empty until a browser runs its scripts, which this tool does not"] : []),
    ...(removed.length > 0 ? [`Left out of the address before it was sent: ${removed.join(", ")}`] : []),
  ]
  return [...notes, `Prompt: ${cut(prompt, promptLength)}`, "Content preview:", preview].join("\n")
}

function previewOf(text: string): string {
  return cut(text.replace(/\s+/g, " ").trim(), previewLength)
}

/** Cuts between characters. */
function cut(text: string, length: number): string {
  const characters = Array.from(text.slice(0, length * 2))
  return characters.length > length ? `${characters.slice(0, length).join("")}…` : text
}
