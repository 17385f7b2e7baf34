import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `send_user_message` without running it. */
export const manifest = defineManifest({
  id: "send_user_message",
  title: "Message",
  description:
    "Shows the person a message and goes on; waits for no answer: use question for that. Use for news during long work.",
  input: z.strictObject({
    message: z.string().min(1),
    status: z.enum(["normal", "proactive"]).describe("proactive: nobody asked for it"),
    attachments: z.array(z.string().min(1)).default([]).describe("Paths of files"),
  }),
  output: outputSchema({
    sent_at: z.string().describe("ISO 8601"),
    attachments: z.array(z.strictObject({ path: z.string(), size: z.int().min(0), is_image: z.boolean() })),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  toolset: "system",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "read-only",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "attachments" },
  // The person would read it twice.
  retry: "never",
  timeoutMs: 30_000,
  effects: ({ attachments }) => attachments.map((path) => ({ kind: "fs.read", path })),
  subject: ({ message, status }) => ({ kind: "arguments", values: { message, status } }),
})
