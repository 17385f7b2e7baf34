import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** The longest that a call may wait. */
const maxSleepMs = 300_000

/** What is known about `sleep` without running it. */
export const manifest = defineManifest({
  id: "sleep",
  title: "Sleep",
  description:
    "Waits and does nothing else. Use to give something outside time, for instance between two looks at a server; for a job use job_output with wait_ms.",
  input: z.strictObject({ duration_ms: z.int().min(0).max(maxSleepMs) }),
  output: outputSchema({ slept_ms: z.int().min(0) }),
  requires: {},
  toolset: "system",
  defaults: [{ action: "allow" }],
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "safe",
  timeoutMs: maxSleepMs + 10_000,
  effects: () => [],
  // Who waits for something waits again.
  polls: true,
})
