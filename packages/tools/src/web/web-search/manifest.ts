import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `web_search` without running it. */
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
  requires: { net: { hosts: ["*"] } },
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
