import { defineManifest, errorCodes } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import { reachedHosts } from "@haft/tools/web/shared/page/web-address.js"
import * as z from "zod"

/** What is known about `crawl_pages` without running it. */
export const manifest = defineManifest({
  id: "crawl_pages",
  title: "Read pages",
  description:
    "Reads up to 20 web pages as Markdown, several at once; one that fails does not fail the rest. Does not follow links on them. Use for pages whose addresses are known.",
  input: z.strictObject({ urls: z.array(z.string().min(1)).min(1).max(20) }),
  output: outputSchema({
    pages: z.array(
      z.strictObject({
        url: z.string().describe("As it was asked for"),
        final_url: z.string().optional().describe("Where the page came from, after redirects"),
        status: z.int().optional(),
        content_type: z.string().optional(),
        title: z.string().optional(),
        content: z.string().describe("Empty for a page that failed"),
        error: z.string().optional(),
        error_code: z.enum(errorCodes).optional(),
      }),
    ),
    failed: z.int().min(0),
  }),
  requires: { net: { hosts: ["*"] } },
  kind: "fetch",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "safe",
  // Five rounds of four pages, and the words out of them.
  timeoutMs: 240_000,
  effects: ({ urls }) => urls.flatMap((url) => reachedHosts(url)),
  judgedLike: "web_fetch",
})
