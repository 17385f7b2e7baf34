import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `index_search` without running it. */
export const manifest = defineManifest({
  id: "index_search",
  title: "Search launcher",
  description:
    "Finds applications, commands, tools, skills and workspace files by fuzzy name, most used first. Use when only part of a name is known; for contents use grep.",
  input: z.strictObject({
    query: z.string().max(500).describe("Part of a name; empty lists what is used most"),
    limit: z.int().min(0).default(10),
  }),
  output: outputSchema({
    results: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        type: z.enum(["application", "command", "file", "skill", "tool"]),
        score: z.number().describe("Fading count of uses plus match quality up to 1"),
      }),
    ),
    denied: z.int().min(1).optional().describe("Files left out because a rule denies reading them"),
  }),
  // It shows names of files, and only of those that a call may read.
  requires: { fs: { read: ["{workspace}/**"] }, capabilities: ["index"] },
  toolset: "launcher",
  defaults: [{ action: "allow" }],
  looksAtTools: true,
  kind: "search",
  tier: "read-only",
  limit: { unit: "entries", max: 1_000, past: "sidecar", field: "results" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
})
