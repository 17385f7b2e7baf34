import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { anyProgram } from "../shared/any-program.js"
import { jobOutputLimit, jobOutputSchema } from "../shared/jobs/job-data.js"
import { jobIdSchema } from "../shared/jobs/job-id-schema.js"

/** What is known about `job_stop` without running it. */
export const manifest = defineManifest({
  id: "job_stop",
  title: "Stop job",
  description:
    "Ends a job with every process that it started, and returns what it printed since the last look. Use when it is no longer needed; a job that has ended already stays as it is.",
  input: z.strictObject({ id: jobIdSchema }),
  output: jobOutputSchema,
  requires: { shell: anyProgram },
  toolset: "code",
  defaults: [{ action: "allow" }],
  kind: "execute",
  tier: "full-access",
  limit: jobOutputLimit,
  retry: "never",
  timeoutMs: 30_000,
  effects: () => [],
})
