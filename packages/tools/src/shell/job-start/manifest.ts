import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { anyProgram } from "../shared/any-program.js"
import { commandHabits } from "../shared/command-habits.js"
import { jobOutputLimit, jobOutputSchema } from "../shared/jobs/job-data.js"

/** What is known about `job_start` without running it. */
export const manifest = defineManifest({
  id: "job_start",
  title: "Start job",
  description:
    "Starts a bash command line that goes on after this call, in a sandbox, and returns its id; it ends with the session at the latest. Use for servers, watchers and work of many minutes; for everything else use bash. Look at it with job_output, end it with job_stop.",
  input: z.strictObject({ command: z.string().min(1) }),
  output: jobOutputSchema,
  requires: { shell: anyProgram },
  toolset: "code",
  outlivesCall: true,
  kind: "execute",
  tier: "full-access",
  limit: jobOutputLimit,
  retry: "never",
  timeoutMs: 30_000,
  effects: () => [],
  command: ({ command }) => ({ kind: "bash", text: command }),
  habits: commandHabits,
})
