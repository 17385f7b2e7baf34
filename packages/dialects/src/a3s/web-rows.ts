import { defineDialectTool, type OutputOf } from "@haft/contract"
import type { manifest as fetchManifest } from "@haft/tools/web/web-fetch/index.js"
import * as z from "zod"
import { dataOf, given, textOf } from "../shared/parts-of-result.js"
import type { manifest as searchManifest } from "../shared/tools/web-search-engines/index.js"
import { worked } from "./a3s-output.js"

export const webFetchRow = defineDialectTool({
  name: "web_fetch",
  tool: "web_fetch",
  description:
    "Fetch content from a URL and convert to text or markdown.\n- Supports HTML to Markdown conversion\n- 5MB response size limit\n- Configurable timeout (max 120 seconds)",
  input: z.strictObject({
    url: z.string().min(1).describe("The URL to fetch content from (must start with http:// or https://)"),
    format: z.enum(["markdown", "text", "html"]).optional().describe("Output format (default: markdown)"),
    timeout: z.int().min(1).max(120).optional().describe("Timeout in seconds (default: 30, max: 120)"),
  }),
  toArguments: given,
  toValue: (result) => {
    const { url, status, content_type, title, content } = dataOf<OutputOf<typeof fetchManifest>>(result)
    const metadata = { url, status, content_type, ...(title !== undefined && { title }), source_anchors: [url] }
    return worked(content || textOf(result) || "(the page is empty)", metadata)
  },
})

export const webSearchRow = defineDialectTool({
  name: "web_search",
  tool: "web_search_engines",
  description:
    "Search the web using multiple search engines.\n- Aggregates results from multiple engines (DuckDuckGo, Wikipedia, Google, Brave, Baidu, etc.)\n- Supports proxy configuration\n- Returns deduplicated and ranked results",
  input: z.strictObject({
    query: z.string().min(1).describe("The search query"),
    engines: z
      .union([z.array(z.string().min(1)), z.string().min(1)])
      .optional()
      .describe(
        "List of engines to use (default: [\"ddg\",\"wiki\"]). Available: ddg (DuckDuckGo), brave (Brave Search), wiki (Wikipedia), sogou (Sogou), 360 / so360 (360 Search); google and baidu with a key in the configuration. Note: use 'engines' (plural), not 'engine' (singular).",
      ),
    limit: z.int().min(1).max(50).optional().describe("Maximum number of results to return (default: 10, max: 50)"),
    timeout: z.int().min(1).max(60).optional().describe("Search timeout in seconds (default: 10, max: 60)"),
    proxy: z.string().min(1).optional().describe("Proxy URL (e.g., http://127.0.0.1:8080 or socks5://127.0.0.1:1080)"),
    format: z.enum(["text", "json"]).optional().describe("Output format (default: text)"),
  }),
  toArguments: given,
  toValue: (result, { query, format }) => {
    const { results, failed } = dataOf<OutputOf<typeof searchManifest>>(result)
    const metadata = { query, result_count: results.length, source_anchors: results.map(({ url }) => url), failed }
    // A caller that asks for JSON parses all of it: the engines that failed are in the metadata.
    if (format === "json") return worked(JSON.stringify(results, null, 2), metadata)
    return worked(textOf(result) || "No results found", metadata)
  },
})
