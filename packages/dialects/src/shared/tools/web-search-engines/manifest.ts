import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"
import { domainOf } from "./domain-filter.js"
import { knownEngines, parseEngines } from "./parse-engines.js"
import { parseProxy } from "./parse-proxy.js"

const engines = z
  .union([z.array(z.string()), z.string()])
  .refine((named) => parseEngines(named).engines.length > 0, `name at least one of ${knownEngines}`)
const domains = z.array(
  z.string().refine((name) => domainOf(name) !== undefined, "must be the name of a host, such as example.org"),
)

/** What is known about `web_search_engines` without running it. */
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
  requires: { net: { hosts: ["*"] } },
  kind: "fetch",
  tier: "read-only",
  limit: { unit: "entries", max: 50, past: "sidecar", field: "results" },
  retry: "safe",
  timeoutMs: 75_000,
  // The hosts of the engines depend on the configuration, which effects do not know: they depend on the arguments
  // alone. The network port asks about each host, and every hop after it, before it sends.
  effects: ({ proxy }) => {
    const through = proxy === undefined ? undefined : parseProxy(proxy)
    return through === undefined ? [] : [{ kind: "net.fetch", ...through }]
  },
})
