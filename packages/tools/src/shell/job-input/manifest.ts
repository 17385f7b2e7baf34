import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { anyProgram } from "../shared/any-program.js"
import { jobOutputLimit, jobOutputSchema } from "../shared/jobs/job-data.js"
import { jobIdSchema } from "../shared/jobs/job-id-schema.js"

/** What is known about `job_input` without running it. */
export const manifest = defineManifest({
  id: "job_input",
  title: "Job input",
  description:
    "Writes text to the standard input of a job as it is: end it with a line break where the program reads lines. Use to answer a program or to drive a prompt; see the answer with job_output.",
  input: z.strictObject({ id: jobIdSchema, text: z.string().min(1) }),
  output: jobOutputSchema,
  requires: { shell: anyProgram },
  toolset: "code",
  kind: "execute",
  tier: "full-access",
  limit: jobOutputLimit,
  retry: "never",
  timeoutMs: 30_000,
  effects: () => [],
  // The job may be a shell, which would run each line: whoever may not run a command may not type it either.
  command: ({ text }) => ({ kind: "bash", text }),
})
