import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `ls` without running it. */
export const manifest = defineManifest({
  id: "ls",
  title: "List directory",
  description:
    "Lists one directory with types and sizes, not its subdirectories. Use to see what a folder holds; to find files by name use glob.",
  input: z.strictObject({ path: z.string().min(1).default(".").describe("Directory") }),
  output: outputSchema({
    entries: z.array(
      z.strictObject({
        name: z.string(),
        type: z.enum(["file", "directory", "link", "other"]),
        size: z.number().min(0).describe("Bytes"),
        mtime: z.string().describe("ISO 8601, UTC"),
      }),
    ),
    complete: z.boolean().describe("False when there are more entries than these"),
    denied: z.int().min(1).optional().describe("Entries left out because a rule denies reading them"),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  toolset: "code",
  kind: "read",
  tier: "read-only",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "entries" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: ({ path }) => [{ kind: "fs.read", path }],
})
