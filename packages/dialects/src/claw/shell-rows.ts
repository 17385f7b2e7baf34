import { defineDialectTool, ToolError } from "@haft/contract"
import { commandHabits } from "@haft/tools/shell/shared/command-habits.js"
import { maxTimeoutMs } from "@haft/tools/shell/shared/limits.js"
import * as z from "zod"
import { modelStreams } from "../shared/model-streams.js"
import { dataOf } from "../shared/parts-of-result.js"
import { commandValue } from "./command-value.js"
import { durationMs } from "./duration-ms.js"

const milliseconds = z.int().min(1).optional()

/** Without a limit of its own a command has as long as any may have; a longer one is not to be had. */
function timeoutOf(timeout: number | undefined): number {
  return Math.min(timeout ?? maxTimeoutMs, maxTimeoutMs)
}

/** `bash`: with `run_in_background` a job of the session. What it says about the sandbox is kept apart from what holds. */
export const bashRow = defineDialectTool({
  name: "bash",
  tool: ({ run_in_background }) => (run_in_background ? "job_start" : "bash"),
  choices: ["bash", "job_start"],
  description: "Execute a shell command in the current workspace.",
  input: z.strictObject({
    command: z.string().min(1),
    timeout: milliseconds,
    description: z.string().optional(),
    run_in_background: z.boolean().optional(),
    dangerouslyDisableSandbox: z.boolean().optional(),
    namespaceRestrictions: z.boolean().optional(),
    isolateNetwork: z.boolean().optional(),
    filesystemMode: z.enum(["off", "workspace-only", "allow-list"]).optional(),
    allowedMounts: z.array(z.string()).optional(),
  }),
  habits: commandHabits,
  toArguments: ({ command, timeout, run_in_background }) =>
    run_in_background ? { command } : { command, timeout: timeoutOf(timeout) },
  toValue: (result, input) => commandValue(result, input, timeoutOf(input.timeout)),
  tier: "full-access",
})

/** `PowerShell`: the shape of `bash`. */
export const powerShellRow = defineDialectTool({
  name: "PowerShell",
  tool: ({ run_in_background }) => (run_in_background ? "powershell_start" : "powershell"),
  choices: ["powershell", "powershell_start"],
  description: "Execute a PowerShell command with optional timeout.",
  input: z.strictObject({
    command: z.string().min(1),
    timeout: milliseconds,
    description: z.string().optional(),
    run_in_background: z.boolean().optional(),
  }),
  habits: commandHabits,
  toArguments: ({ command, timeout, description, run_in_background }) =>
    run_in_background
      ? { command }
      : { command, timeout: timeoutOf(timeout), ...(description !== undefined && { description }) },
  toValue: (result, input) => commandValue(result, input, timeoutOf(input.timeout)),
  tier: "full-access",
})

type Language = "python" | "javascript" | "shell"

const languages: ReadonlyMap<string, Language> = new Map([
  ...(["python", "py"] as const).map((name) => [name, "python"] as const),
  ...(["javascript", "js", "node"] as const).map((name) => [name, "javascript"] as const),
  ...(["sh", "shell", "bash"] as const).map((name) => [name, "shell"] as const),
])

interface CodeEnd {
  readonly exit_code: number | null
}

/** `REPL`: a new process for each call; running out of time is an error. */
export const replRow = defineDialectTool({
  name: "REPL",
  tool: "run_code",
  description: "Execute code in a REPL-like subprocess.",
  input: z.strictObject({ code: z.string().min(1), language: z.string().min(1), timeout_ms: milliseconds }),
  toArguments: ({ code, language, timeout_ms }) => {
    if (code.trim() === "") throw new ToolError("invalid_args", "Cannot run the code: it must not be empty")
    return { code, language: languageOf(language), timeout_ms: timeoutOf(timeout_ms) }
  },
  toValue: (result, { language }) => {
    const { exit_code } = dataOf<CodeEnd>(result)
    return { language, ...modelStreams(result), exitCode: exit_code ?? 1, durationMs: durationMs(result) }
  },
  tier: "full-access",
})

function languageOf(name: string): Language {
  const language = languages.get(name.trim().toLowerCase())
  if (language !== undefined) return language
  throw new ToolError("invalid_args", `Cannot run code in "${name}": unsupported REPL language`, {
    hint: `Use ${[...languages.keys()].join(", ")}`,
  })
}
