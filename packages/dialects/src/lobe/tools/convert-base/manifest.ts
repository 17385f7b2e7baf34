import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"

const base = z.int().min(2).max(36)

/** What is known about `convert_base` without running it. */
export const manifest = defineManifest({
  id: "convert_base",
  title: "Convert base",
  description: "Writes a whole number of any size in another base, exactly. Use for binary, hexadecimal and the like.",
  input: z.strictObject({
    number: z.union([z.string().min(1).max(10_000), z.int()]).describe("Digits in fromBase, for instance FF or -1010"),
    fromBase: base,
    toBase: base,
  }),
  output: outputSchema({
    result: z.string().describe("Digits above 9 as capital letters"),
    decimal: z.string().describe("The same number in base 10"),
  }),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 50_000, past: "sidecar", fields: ["result"], keep: "head" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "calculator",
})
