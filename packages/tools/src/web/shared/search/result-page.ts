import { type HttpResponse, ToolError } from "@haft/contract"
import { answerText } from "./answer-text.js"
import type { Reading } from "./provider.js"

/** How the result page of a provider is built. */
export interface ResultPage {
  /** Selector of one result, without advertisements. */
  readonly row: string
  /** Selectors below the row, as `selectHtml` takes them. A row without a title or an address is none. */
  readonly fields: Readonly<Record<string, string>> & Readonly<Record<"title" | "url" | "snippet", string>>
  /** Selector of what only a page has that found nothing. */
  readonly nothing: string
  /** Selector of what only a page has that asks for a person. */
  readonly challenge: string
  /** Part of the addresses that such a page is kept at. */
  readonly challengeAddress?: RegExp
}

/** What was found in one row. */
export type ResultRow = Readonly<Partial<Record<string, string>>> & { readonly title: string; readonly url: string }

/**
 * The rows of a result page. A page without rows must itself say that there are none: a refusal or a changed layout
 * must not pass for "no results". Elements decide and not words, because every page repeats the words of the query.
 */
export async function readResultPage(
  answer: HttpResponse,
  page: ResultPage,
  { select }: Reading,
): Promise<readonly ResultRow[]> {
  const html = answerText(answer)
  const all = await select(html, { row: page.row, fields: page.fields, maxRows })
  const rows = all.flatMap(({ title, url, ...rest }) => (title && url ? [{ ...rest, title, url }] : []))
  if (rows.length > 0) return rows
  const has = async (row: string) => (await select(html, { row, fields: {}, maxRows: 1 })).length > 0
  if (page.challengeAddress?.test(answer.url) || (await has(page.challenge))) throw challenged()
  if (await has(page.nothing)) return []
  throw new ToolError(
    "backend",
    "its page has no results in the known form: its layout has changed, or it refuses us",
    {
      hint: "Try again later",
      fix: otherProvider,
    },
  )
}

const maxRows = 100
const otherProvider = "Set webSearch.provider to another one"

function challenged(): ToolError {
  return new ToolError("unavailable", "it asks for a captcha, because it takes this machine for a robot", {
    hint: "Try again later",
    fix: otherProvider,
  })
}
