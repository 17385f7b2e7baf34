import {
  defineManifest,
  defineTool,
  type Example,
  type OutputOf,
  type Present,
  type ToolMessages,
  text,
} from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"
import { domainOf } from "./domain-filter.js"
import { knownEngines, parseEngines } from "./parse-engines.js"

const engines = z
  .union([z.array(z.string()), z.string()])
  .refine((named) => parseEngines(named).engines.length > 0, `name at least one of ${knownEngines}`)
const domains = z.array(
  z.string().refine((name) => domainOf(name) !== undefined, "must be the name of a host, such as example.org"),
)

export const manifest = defineManifest({
  id: "web_search_engines",
  title: "Web search with engines",
  description:
    "Searches the web with several engines at once; the results are merged, each address once, and ranked. Gives snippets, not pages. Use for facts outside the workspace.",
  input: z.strictObject({
    query: z.string().min(1),
    engines: engines.default(["ddg", "wiki"]).describe(`List or comma-separated: ${knownEngines}`),
    limit: z.int().min(1).max(50).default(10),
    timeout: z.int().min(1).max(60).default(10).describe("Seconds"),
    proxy: z
      .string()
      .refine((address) => parseProxy(address) !== undefined, "must be http://host:port or socks5://host:port")
      .optional()
      .describe("http:// or socks5:// address"),
    format: z.enum(["text", "json"]).default("text"),
    allowed_domains: domains.optional().describe("Only these and their subdomains"),
    blocked_domains: domains.optional(),
  }),
  output: outputSchema({
    results: z.array(
      z.strictObject({
        title: z.string(),
        url: z.string(),
        content: z.string(),
        engines: z.array(z.string()),
        score: z.number(),
        published_date: z.string().optional(),
      }),
    ),
    failed: z.array(z.strictObject({ engine: z.string(), reason: z.string() })),
  }),
  requires: { net: { hosts: ["{search-engines}"], proxies: true } },
  kind: "fetch",
  tier: "read-only",
  limit: { unit: "entries", max: 50, past: "sidecar", field: "results" },
  retry: "safe",
  timeoutMs: 75_000,
  // The hosts of the engines depend on the configuration, which effects do not know: they depend on the arguments
  // alone. The network port asks about each host, and every hop after it, before it sends.
  effects: ({ proxy }) => {
    const through = proxy === undefined ? undefined : parseProxy(proxy)
    return through === undefined ? [] : [{ kind: "net.fetch", ...through, isProxy: true }]
  },
})

/** Rows of four or five lines, or the same rows as JSON; the engines that failed are apart. */
const present: Present<typeof manifest> = ({ results, failed }, { format }) => {
  const failures = failed.map(({ engine, reason }) => `Failed: ${engine}: ${reason}`).join("\n")
  const notes = failures === "" ? [] : [text(failures)]
  if (format === "json") return [text(JSON.stringify(results, null, 2)), ...notes]
  if (results.length === 0) return [text("No results; try other words or engines"), ...notes]
  return [text(results.map(row).join("\n\n")), ...notes]
}

function row(result: OutputOf<typeof manifest>["results"][number], index: number): string {
  const { title, url, content, engines, published_date: published } = result
  return [
    `${index + 1}. ${title}`,
    `URL: ${url}`,
    ...(published === undefined ? [] : [`Published: ${published}`]),
    ...(content === "" ? [] : [content]),
    `(via ${engines.join(", ")})`,
  ].join("\n   ")
}

const messages: ToolMessages = {
  en: {
    title: "Web search with engines",
    loading: "Searching the web with several engines",
    done: "Searched the web with several engines",
  },
  "zh-CN": { title: "多引擎网页搜索", loading: "正在用多个引擎搜索网页", done: "已用多个引擎搜索网页" },
}

const result = (engine: string) => ({
  title: "typescript handbook, page 1",
  url: "https://example.org/typescript-handbook/1",
  content: "About typescript handbook: number 1",
  engines: [engine],
  score: 1,
})

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "one engine",
    input: { query: "typescript handbook", engines: ["ddg"], limit: 1 },
    output: { results: [result("ddg")], failed: [] },
  },
  {
    name: "two engines agree, named in one text",
    input: { query: "typescript handbook", engines: "sogou, 360", limit: 1 },
    output: { results: [{ ...result("sogou"), engines: ["sogou", "so360"], score: 4 }], failed: [] },
  },
  {
    name: "nothing below the allowed domains",
    input: { query: "typescript handbook", allowed_domains: ["nowhere.example"] },
    output: { results: [], failed: [] },
  },
  { name: "every engine fails", input: { query: "captcha", engines: ["ddg", "sogou"] }, fails: "unavailable" },
]

/** Searches the web with several engines at once; reached through dialects only. */
export const webSearchEngines = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/web/ui/results-faces.js"),
})

/** The host and the port of a proxy; undefined for what is no `http:` or `socks5:` address of one. */
function parseProxy(address: string): { readonly host: string; readonly port: number } | undefined {
  const scheme = /^(http|socks5):\/\//i.exec(address)?.[1]?.toLowerCase()
  if (scheme === undefined) return undefined
  // Only addresses of known schemes have their host brought to one spelling.
  const written = address.replace(/^socks5/i, "http")
  if (!URL.canParse(written)) return undefined
  const { hostname, port, pathname, search, hash } = new URL(written)
  if (pathname !== "/" || search !== "" || hash !== "") return undefined
  return { host: hostname, port: Number(port) || (scheme === "http" ? 80 : usualSocksPort(address)) }
}

/** Port 80 is left out by the parser as the usual one of http, which it is not here. */
function usualSocksPort(address: string): number {
  return /:80\/?$/.test(address) ? 80 : 1080
}
