import { defineManifest, defineTool, type Example, type Present, type ToolMessages } from "@haft/contract"
import { anyProgram } from "@haft/tools/shell/shared/any-program.js"
import { commandHabits } from "@haft/tools/shell/shared/command-habits.js"
import { jobOutputLimit, jobOutputSchema, jobText } from "@haft/tools/shell/shared/jobs/job-data.js"
import * as z from "zod"

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

/** The id to go on with. */
const present: Present<typeof manifest> = (job) => jobText(job, "")

const messages: ToolMessages = {
  en: { title: "Start PowerShell job", loading: "Starting the job", done: "Started the job" },
  "zh-CN": { title: "启动 PowerShell 后台任务", loading: "正在启动后台任务", done: "已启动后台任务" },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "a NUL character reaches no shell", input: { command: "Write-Output a\0b" }, fails: "invalid_args" },
  { name: "half of a character reaches no shell", input: { command: "Write-Output \ud800" }, fails: "invalid_args" },
  {
    name: "more text than a system takes",
    input: { command: `Write-Output ${"x".repeat(200_000)}` },
    fails: "too_large",
  },
]

/** Starts a PowerShell command that outlives its call. */
export const powershellStart = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/shell/ui/command-faces.js"),
})
