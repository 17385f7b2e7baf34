import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

export const manifest = defineManifest({
  id: "web_search",
  title: "Web search",
  description:
    "Searches the web and gives titles, addresses and snippets, not pages. Use for facts outside the workspace; read a result with web_fetch. The number of searches per session is limited.",
  input: z.strictObject({
    query: z.string().min(1).describe("Words to search for"),
    max_results: z.int().min(1).max(50).default(10).describe("At most so many"),
  }),
  output: outputSchema({
    results: z.array(z.strictObject({ title: z.string(), url: z.string(), snippet: z.string() })),
  }),
  requires: { net: { hosts: ["{web-search}"] } },
  operands: ["query"],
  toolset: "locked",
  kind: "fetch",
  tier: "read-only",
  limit: { unit: "entries", max: 50, past: "sidecar", field: "results" },
  retry: "safe",
  // Above what a user may reasonably configure: the time of one search is kept by the tool itself.
  timeoutMs: 120_000,
  // Which provider is asked depends on the session and the configuration, which effects do not know: they depend on
  // the arguments alone. The network port asks about the provider's host, and every hop after it, before it sends.
  effects: () => [],
  habits: {
    allowed_domains: 'Put "site:DOMAIN" into the query',
    blocked_domains: 'Put "-site:DOMAIN" into the query',
    domains: 'Put "site:DOMAIN" into the query',
  },
})

/** A numbered list, each result on two or three lines. */
const present: Present<typeof manifest> = ({ results }) => {
  if (results.length === 0) return [text("No results; try other words")]
  const rows = results.map(({ title, url, snippet }, index) =>
    [`${index + 1}. ${title}`, url, ...(snippet === "" ? [] : [snippet])].join("\n   "),
  )
  return [text(rows.join("\n"))]
}

const messages: ToolMessages = {
  en: { title: "Web search", loading: "Searching the web", done: "Searched the web" },
  "zh-CN": {
    title: "网页搜索",
    loading: "正在搜索网页",
    done: "已搜索网页",
    summary: "搜索网页，给出标题、地址和摘要",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "two results",
    input: { query: "typescript handbook", max_results: 2 },
    output: {
      results: [
        {
          title: "typescript handbook, page 1",
          url: "https://example.org/typescript-handbook/1",
          snippet: "About typescript handbook: number 1",
        },
        {
          title: "typescript handbook, page 2",
          url: "https://example.org/typescript-handbook/2",
          snippet: "About typescript handbook: number 2",
        },
      ],
    },
  },
  { name: "nothing is found", input: { query: "nothing" }, output: { results: [] } },
  { name: "words that are none", input: { query: "   " }, fails: "invalid_args" },
  { name: "the provider takes us for a robot", input: { query: "captcha" }, fails: "unavailable" },
]

/** Searches the web with the provider of the session. */
export const webSearch = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/results-faces.js"),
})
