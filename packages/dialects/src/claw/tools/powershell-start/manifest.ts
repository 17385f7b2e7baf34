import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { anyProgram } from "@haft/tools/shell/shared/any-program.js"
import { commandHabits } from "@haft/tools/shell/shared/command-habits.js"
import { jobOutputLimit, jobOutputSchema } from "@haft/tools/shell/shared/jobs/job-data.js"

/** What is known about `powershell_start` without running it. */
export const manifest = defineManifest({
  id: "powershell_start",
  title: "Start PowerShell job",
  description:
    "Starts a PowerShell command that goes on after this call, in a sandbox, and returns its id; it ends with the session at the latest. Needs pwsh or powershell on this machine. Use for servers and long work written in PowerShell.",
  input: z.strictObject({ command: z.string().min(1) }),
  output: jobOutputSchema,
  requires: { shell: anyProgram },
  kind: "execute",
  tier: "full-access",
  limit: jobOutputLimit,
  retry: "never",
  timeoutMs: 30_000,
  effects: () => [],
  // The text itself, as in the foreground: wrapped into a line for another shell no rule could read it.
  command: ({ command }) => ({ kind: "powershell", text: command }),
  judgedLike: "powershell",
  habits: commandHabits,
})
