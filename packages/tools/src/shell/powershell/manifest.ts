import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { anyProgram } from "../shared/any-program.js"
import { commandHabits } from "../shared/command-habits.js"
import { commandFields } from "../shared/output/command-data.js"
import { outputLimit } from "../shared/output/output-limit.js"
import { callTimeoutMs, timeoutSchema } from "../shared/time-limits.js"

const inBackground = [
  "Leave it out: what a command starts ends with the call",
  { say: "Start what shall go on with {tool:job_start}" },
]

/** What is known about `powershell` without running it. */
export const manifest = defineManifest({
  id: "powershell",
  title: "Run PowerShell command",
  description:
    "Runs one PowerShell command in the working directory, in a sandbox, without profile and questions; each call starts fresh. Needs pwsh or powershell on this machine. Use for what is written in PowerShell; otherwise use bash.",
  input: z.strictObject({
    command: z.string().min(1),
    timeout: timeoutSchema.describe("ms"),
    description: z.string().optional().describe("What it does, for the person who reads along"),
  }),
  output: outputSchema(commandFields),
  requires: { shell: anyProgram },
  toolset: "system",
  kind: "execute",
  tier: "full-access",
  limit: outputLimit,
  retry: "never",
  timeoutMs: callTimeoutMs,
  effects: () => [],
  command: ({ command }) => ({ kind: "powershell", text: command }),
  habits: {
    ...commandHabits,
    run_in_background: inBackground,
    background: inBackground,
    is_background: inBackground,
  },
})
