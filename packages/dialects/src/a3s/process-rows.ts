import { defineDialectTool, type ToolResult } from "@haft/contract"
import { commandHabits } from "@haft/tools/shell/shared/command-habits.js"
import * as z from "zod"
import { dataOf, given } from "../shared/parts-of-result.js"
import { type A3sOutput, failed, worked } from "./a3s-output.js"

/** What the ends of a command and of a box have in common. */
interface ProcessEnd {
  readonly stdout: string
  readonly stderr: string
  readonly exit_code: number | null
  readonly signal?: string
  readonly timed_out: boolean
  readonly isolation: { readonly level: string; readonly [key: string]: unknown }
}

export const bashRow = defineDialectTool({
  name: "bash",
  tool: "bash",
  description:
    "Execute a shell command in the workspace directory. On Windows this runs in PowerShell, not GNU bash. Use for running commands, installing packages, running tests, and local diagnostics.",
  input: z.strictObject({
    command: z
      .string()
      .min(1)
      .describe(
        "The shell command to execute. On Windows, write PowerShell-compatible commands by default. A limited compatibility shim exists for curl, wget, bare HTTP verbs (GET/POST/PUT/PATCH/DELETE/OPTIONS), which, and head.",
      ),
    timeout: z.int().min(1).optional().describe("Timeout in milliseconds (default 120000)"),
  }),
  habits: commandHabits,
  toArguments: given,
  toValue: (result, { timeout = 120_000 }) => processOutput(result, { op: "bash", timeoutMs: timeout }),
})

const usualImage = "ubuntu-22.04"

export const boxRow = defineDialectTool({
  name: "box",
  tool: "box",
  description:
    "Run code or commands inside a secure sandbox (VM-level isolation).\nUse this when you need to execute untrusted code, run experiments safely,\nor isolate side effects from the host system.\nThe sandbox has its own filesystem, network, and process namespace; it reaches only hosts that the user granted.",
  input: z.strictObject({
    command: z.string().min(1).describe("The command to execute inside the sandbox"),
    image: z.string().min(1).optional().describe("Sandbox image to use (default: ubuntu-22.04)"),
    timeout: z.int().min(1).optional().describe("Timeout in milliseconds (default 60000)"),
    files: z
      .record(z.string(), z.string())
      .optional()
      .describe("Files to inject into the sandbox before execution (key=path, value=content)"),
  }),
  habits: commandHabits,
  toArguments: given,
  toValue: (result, { timeout = 60_000, image }) => {
    const output = processOutput(result, { op: "box", timeoutMs: timeout })
    const { image: ran, os } = dataOf<ProcessEnd>(result).isolation
    // The page promises ubuntu-22.04; a caller who relies on that learns what the host has set instead.
    if (image !== undefined || ran === undefined || ran === usualImage) return output
    return { ...output, content: joined(output.content, `[Ran in the image ${ran} (${os}), not in ${usualImage}]`) }
  },
})

/** Another exit code than 0 is a failure here; both streams are one text, the one that every model reads. */
function processOutput(result: ToolResult, { op, timeoutMs }: { op: string; timeoutMs: number }): A3sOutput {
  const { stdout, stderr, exit_code, signal, timed_out, isolation } = dataOf<ProcessEnd>(result)
  const metadata = { exit_code, ...(signal !== undefined && { signal }), isolation }
  const [first] = result.content
  const printed = stdout + stderr !== "" && first?.type === "text" ? first.text : ""
  if (timed_out) {
    const notice = `[Command timed out after ${timeoutMs} ms]`
    return failed(joined(printed, notice), { type: "Timeout", op, duration_ms: timeoutMs }, metadata)
  }
  const sandbox = isolation.level === "none" ? "[Ran outside the sandbox]" : ""
  if (exit_code === 0) return worked(joined(printed, sandbox) || "(no output)", metadata)
  const notice = exit_code === null ? `[Command ended by ${signal ?? "a signal"}]` : `[Exit code: ${exit_code}]`
  return failed(joined(printed, notice, sandbox), undefined, metadata)
}

function joined(printed: string, ...notices: readonly string[]): string {
  return [printed, ...notices].filter((text) => text !== "").join("\n")
}
