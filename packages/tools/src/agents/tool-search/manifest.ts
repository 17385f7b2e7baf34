import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `tool_search` without running it. */
export const manifest = defineManifest({
  id: "tool_search",
  title: "Tool search",
  description:
    "Finds tools by what they are for, listed or not; those found can be called from the next turn on. Use when no listed tool fits.",
  input: z.strictObject({
    query: z
      .string()
      .max(1000)
      .describe("Words; +word must occur; select:a,b takes these names; empty lists them by name"),
    max_results: z.int().min(1).default(5).describe("At most so many"),
  }),
  output: outputSchema({ matches: z.array(z.strictObject({ id: z.string(), description: z.string() })) }),
  requires: {},
  toolset: "locked",
  defaults: [{ action: "allow" }],
  looksAtTools: true,
  kind: "search",
  tier: "read-only",
  limit: { unit: "entries", max: 200, past: "sidecar", field: "matches" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
})
