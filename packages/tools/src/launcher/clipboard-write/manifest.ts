import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `clipboard_write` without running it. */
export const manifest = defineManifest({
  id: "clipboard_write",
  title: "Write clipboard",
  description:
    "Puts text on the user's clipboard and replaces what is there. Use when the user asks to copy something.",
  input: z.strictObject({ text: z.string().describe("What the user will paste; up to 5 MB") }),
  output: outputSchema({
    ok: z.literal(true),
    source: z.enum(["system", "session"]).describe("session: no display here, a buffer of this session only"),
  }),
  requires: { capabilities: ["clipboard"] },
  toolset: "launcher",
  kind: "edit",
  tier: "workspace-write",
  limit: { unit: "bytes", max: 1_000, past: "sidecar", fields: [], keep: "head" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
})
