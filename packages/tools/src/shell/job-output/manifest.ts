import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { anyProgram } from "../shared/any-program.js"
import { jobOutputLimit, jobOutputSchema } from "../shared/jobs/job-data.js"
import { jobIdSchema } from "../shared/jobs/job-id-schema.js"

// The longest wait of one look; a model that waits longer looks again.
const maxWaitMs = 300_000

/** What is known about `job_output` without running it. */
export const manifest = defineManifest({
  id: "job_output",
  title: "Job output",
  description:
    "Returns what a job has printed since the last look, and whether it still runs. Use with wait_ms to wait for new output or the end instead of asking again and again.",
  input: z.strictObject({
    id: jobIdSchema,
    wait_ms: z.int().min(0).max(maxWaitMs).default(0).describe("Longest wait for something new"),
    filter: z.string().min(1).optional().describe("Only lines that contain this text"),
  }),
  output: jobOutputSchema,
  requires: { shell: anyProgram },
  toolset: "code",
  defaults: [{ action: "allow" }],
  kind: "execute",
  tier: "full-access",
  limit: jobOutputLimit,
  retry: "safe",
  timeoutMs: maxWaitMs + 30_000,
  effects: () => [],
  polls: true,
})
