import { defineManifest } from "@haft/contract"
import * as z from "zod"

/** What is known about `structured_output` without running it. */
export const manifest = defineManifest({
  id: "structured_output",
  title: "Structured output",
  description:
    "Ends the run with its arguments as the result: any object with at least one field, of the shape that was asked for. Use once, last, when a structured result is wanted.",
  input: z.looseObject({}),
  // The object itself, whatever its fields are called; nothing is ever cut from it.
  output: z.looseObject({}),
  requires: {},
  toolset: "system",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
})
