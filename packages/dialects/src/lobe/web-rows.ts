import type { OutputOf, ToolResult } from "@haft/contract"
import * as z from "zod"
import { dataOf, given, textOf } from "../shared/parts-of-result.js"
import type { manifest as searchManifest } from "../shared/tools/web-search-engines/index.js"
import { lobeRow } from "./lobe-row.js"
import { engineIds, searchNotes } from "./search-engines.js"
import { errorTypes } from "./to-result.js"
import type { manifest as crawlManifest } from "./tools/crawl-pages/manifest.js"

const webBrowsing = "lobe-web-browsing"

type CrawledPage = OutputOf<typeof crawlManifest>["pages"][number]

/** The package's three APIs. */
export const webRows = [
  lobeRow(webBrowsing, {
    api: "search",
    titles: { en: "Search the web", "zh-CN": "搜索网页" },
    tool: "web_search_engines",
    description: "Search the web; gives titles, addresses and snippets.",
    input: z.strictObject({
      query: z.string().min(1).describe("The search query"),
      searchCategories: z.array(z.enum(["general", "images", "news", "science", "videos"])).optional(),
      searchEngines: z
        .array(z.string().min(1))
        .optional()
        .describe("Of those that are here: duckduckgo, brave, wikipedia"),
      searchTimeRange: z.enum(["anytime", "day", "week", "month", "year"]).optional(),
    }),
    keys: { engines: "searchEngines" },
    toArguments: ({ query, searchEngines }) => given({ query, engines: engineIds(searchEngines) }),
    content: (result, input) => [textOf(result), ...searchNotes(input)].join("\n"),
    state: (result) => {
      const { results } = dataOf<OutputOf<typeof searchManifest>>(result)
      return {
        costTime: result.envelope.metadata.duration_ms,
        resultNumbers: results.length,
        results: results.map((row) => ({ ...row, category: "general", parsedUrl: hostOf(row.url) })),
      }
    },
  }),
  lobeRow(webBrowsing, {
    api: "crawlSinglePage",
    titles: { en: "Read a page", "zh-CN": "读取页面" },
    tool: "crawl_pages",
    description: "Read one web page as Markdown.",
    input: z.strictObject({ url: z.string().min(1).describe("The address of the page") }),
    toArguments: ({ url }) => ({ urls: [url] }),
    state: crawledState,
    failure: (result) => {
      const [page] = dataOf<OutputOf<typeof crawlManifest>>(result).pages
      if (page?.error === undefined) return undefined
      return { type: errorTypes[page.error_code ?? "internal"], message: page.error, body: { code: page.error_code } }
    },
  }),
  lobeRow(webBrowsing, {
    api: "crawlMultiPages",
    titles: { en: "Read several pages", "zh-CN": "读取多个页面" },
    tool: "crawl_pages",
    description: "Read several web pages as Markdown; one that fails does not fail the rest.",
    input: z.strictObject({ urls: z.array(z.string().min(1)).min(1).max(20).describe("The addresses of the pages") }),
    toArguments: (input) => input,
    state: crawledState,
  }),
] as const

function crawledState(result: ToolResult) {
  return { results: dataOf<OutputOf<typeof crawlManifest>>(result).pages.map(crawledPage) }
}

function crawledPage({ url, final_url, title, content, content_type, error, error_code }: CrawledPage) {
  if (error !== undefined)
    return { originalUrl: url, crawler: "haft", data: { content: error, errorMessage: error, errorType: error_code } }
  const data = { url: final_url ?? url, content, contentType: content_type, length: content.length }
  return { originalUrl: url, crawler: "haft", data: title === undefined ? data : { ...data, title } }
}

function hostOf(url: string): string {
  return /^[a-z]+:\/\/([^/?#]+)/i.exec(url)?.[1] ?? ""
}
