import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"
import { addressArgument, reachedHosts } from "@haft/tools/web/shared/page/web-address.js"
import { secureAddress } from "./secure-address.js"

/** What is known about `web_digest` without running it. */
export const manifest = defineManifest({
  id: "web_digest",
  title: "Page digest",
  description:
    "Fetches a page and gives its title or the beginning of its text, as the prompt asks. Use for a quick look; use web_fetch for whole pages.",
  input: z.strictObject({
    url: addressArgument,
    prompt: z.string().describe("What to look for"),
  }),
  output: outputSchema({
    bytes: z.int().min(0),
    code: z.int(),
    code_text: z.string(),
    result: z.string(),
    duration_ms: z.int().min(0),
    url: z.string().describe("Where the page came from, after redirects"),
  }),
  requires: { net: { hosts: ["*"] } },
  kind: "fetch",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "sidecar", fields: ["result"], keep: "head" },
  retry: "safe",
  timeoutMs: 80_000,
  effects: ({ url }) => reachedHosts(secureAddress(url)),
  judgedLike: "web_fetch",
})
