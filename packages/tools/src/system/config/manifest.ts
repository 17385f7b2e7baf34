import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `config` without running it. */
export const manifest = defineManifest({
  id: "config",
  title: "Settings",
  description:
    "Reads a setting, or sets one with value: language, theme, verbosity, notification. Other settings can be read, never set. Use when the person asks about them.",
  input: z.strictObject({
    setting: z.string().min(1).max(200),
    value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  }),
  output: outputSchema({
    setting: z.string(),
    value: z.unknown(),
    previous_value: z.unknown().optional().describe("What it was before; only when it was set"),
  }),
  requires: { capabilities: ["config"] },
  toolset: "system",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "never",
  timeoutMs: 30_000,
  effects: () => [],
})
