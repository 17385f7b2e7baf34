import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** What is known about `skill` without running it. */
export const manifest = defineManifest({
  id: "skill",
  title: "Skill",
  description:
    "Loads the instructions of a skill by name; runs nothing. Use when a listed skill fits the task, before starting on it.",
  input: z.strictObject({ name: z.string().min(1).max(200).describe("As listed") }),
  output: outputSchema({
    name: z.string(),
    content: z.string().describe("The text between <skill_content> marks, then where the skill's files are"),
  }),
  requires: {},
  toolset: "locked",
  defaults: [{ action: "allow" }],
  kind: "think",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "sidecar", fields: ["content"], keep: "head" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
})
