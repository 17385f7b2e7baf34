import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `move` without running it. */
export const manifest = defineManifest({
  id: "move",
  title: "Move files",
  description:
    "Moves or renames files and folders in order, all or none. Makes parents, never overwrites. Use instead of mv.",
  input: z.strictObject({
    moves: z
      .array(
        z.strictObject({
          from: z.string().min(1),
          to: z.string().min(1),
        }),
      )
      .min(1)
      .max(100),
  }),
  output: outputSchema({
    moved: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  }),
  requires: {
    fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**", "{ad-hoc}/**"] },
  },
  toolset: "code",
  kind: "move",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "never",
  timeoutMs: 60_000,
  effects: ({ moves }) =>
    moves.flatMap(({ from, to }) => [
      { kind: "fs.read", path: from },
      { kind: "fs.delete", path: from },
      { kind: "fs.write", path: to },
    ]),
})
