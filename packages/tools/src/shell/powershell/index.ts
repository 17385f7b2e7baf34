import { defineManifest, defineTool, type Example, type Present, type ToolMessages } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { anyProgram } from "../shared/any-program.js"
import { backgroundHabits, commandHabits } from "../shared/command-habits.js"
import { callTimeoutMs, timeoutSchema } from "../shared/limits.js"
import { commandFields } from "../shared/output/command-data.js"
import { outputLimit, processText } from "../shared/output/command-text.js"

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
  operands: ["command"],
  toolset: "system",
  kind: "execute",
  tier: "full-access",
  limit: outputLimit,
  retry: "never",
  timeoutMs: callTimeoutMs,
  effects: () => [],
  command: ({ command }) => ({ kind: "powershell", text: command }),
  habits: { ...commandHabits, ...backgroundHabits },
})

/** What the command printed, then how it ended where that is worth a line. */
const present: Present<typeof manifest> = (output, { timeout }) => processText(output, timeout)

const messages: ToolMessages = {
  en: {
    title: "Run PowerShell command",
    loading: "Running the PowerShell command",
    done: "Ran the PowerShell command",
  },
  "zh-CN": {
    title: "运行 PowerShell 命令",
    loading: "正在运行 PowerShell 命令",
    done: "已运行 PowerShell 命令",
    summary: "在沙箱里运行一条 PowerShell 命令",
  },
}

// Few machines besides Windows have PowerShell: what an example may promise everywhere is a refusal before the start.
const nul = "a\0b"

const examples: readonly Example<typeof manifest>[] = [
  { name: "a NUL character reaches no shell", input: { command: `Write-Output ${nul}` }, fails: "invalid_args" },
  {
    name: "half of a character reaches no shell",
    input: { command: "Write-Output \ud800" },
    fails: "invalid_args",
  },
  {
    name: "more text than a system takes",
    input: { command: `Write-Output ${"x".repeat(200_000)}`, description: "Print a long word" },
    fails: "too_large",
  },
]

/** Runs one PowerShell command to its end. */
export const powershell = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/command-faces.js"),
})
