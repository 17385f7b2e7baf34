import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

const option = z.strictObject({ label: z.string().min(1), description: z.string().optional() })

const question = z.strictObject({
  question: z.string().min(1),
  header: z.string().optional(),
  options: z.array(option).max(10).optional(),
  multi_select: z.boolean().optional(),
})

/** What is known about `question` without running it. */
export const manifest = defineManifest({
  id: "question",
  title: "Question",
  description:
    "Asks the person and waits for the answers; an answer may be free text besides the options. Use only when the work depends on it.",
  input: z.strictObject({ questions: z.array(question).min(1).max(10).describe("Asked one after the other") }),
  output: outputSchema({
    answers: z.array(z.array(z.string())).describe("For each question in order: what was chosen or written"),
  }),
  requires: {},
  toolset: "locked",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "read-only",
  limit: { unit: "entries", max: 1000, past: "sidecar", field: "answers" },
  retry: "safe",
  // A person may be away for a day.
  timeoutMs: 24 * 60 * 60 * 1000,
  effects: () => [],
})
