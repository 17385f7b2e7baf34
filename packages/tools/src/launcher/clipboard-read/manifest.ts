import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `clipboard_read` without running it. */
export const manifest = defineManifest({
  id: "clipboard_read",
  title: "Read clipboard",
  description:
    "Returns the text on the user's clipboard; other content is an error. Use when the user speaks of what they copied.",
  input: z.strictObject({}),
  output: outputSchema({
    text: z.string(),
    source: z.enum(["system", "session"]).describe("session: no display here, a buffer of this session only"),
  }),
  requires: { capabilities: ["clipboard"] },
  toolset: "launcher",
  defaults: [{ action: "ask", why: "the clipboard may hold anything, a password too", final: true }],
  kind: "read",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "sidecar", fields: ["text"], keep: "head" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
})
