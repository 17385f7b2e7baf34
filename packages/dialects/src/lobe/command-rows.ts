import { ToolError, type ToolResult } from "@haft/contract"
import { commandHabits } from "@haft/tools/shell/shared/command-habits.js"
import type { JobData } from "@haft/tools/shell/shared/jobs/job-data.js"
import type { CommandData } from "@haft/tools/shell/shared/output/command-data.js"
import * as z from "zod"
import { dataOf, given, textOf } from "../shared/parts-of-result.js"
import { lobeRow } from "./lobe-row.js"
import { localSystem } from "./local-file-rows.js"

const shellId = z.string().min(1).describe("The ID of the background shell")

/** Runs a command to its end, or starts it in the background. */
export const runCommandRow = lobeRow(localSystem, {
  api: "runCommand",
  titles: { en: "Run command", "zh-CN": "运行命令" },
  tool: ({ run_in_background }) => (run_in_background === true ? "job_start" : "bash"),
  choices: ["bash", "job_start"],
  description:
    "Execute a shell command and return its output. In the background it goes on after this call and is followed with getCommandOutput.",
  input: z.strictObject({
    description: z.string().describe("What this command does (5-10 words, active voice)"),
    command: z.string().min(1).describe("The shell command to execute"),
    run_in_background: z.boolean().optional().describe("Start it and return its shell_id at once"),
    timeout: z.int().min(1).max(600_000).optional().describe("Milliseconds (default 120000, max 600000)"),
  }),
  habits: commandHabits,
  toArguments: ({ command, run_in_background, timeout }) =>
    run_in_background === true ? { command } : given({ command, timeout }),
  content: (result, { run_in_background }) => (run_in_background === true ? startedText(result) : textOf(result)),
  state: (result, { run_in_background }) =>
    run_in_background === true ? startedState(dataOf(result)) : endedState(dataOf(result)),
})

/** What a background command printed since the last look. */
export const getCommandOutputRow = lobeRow(localSystem, {
  api: "getCommandOutput",
  titles: { en: "Get command output", "zh-CN": "获取命令输出" },
  tool: "job_output",
  description: "Retrieve the new output of a running or completed background command.",
  input: z.strictObject({
    shell_id: shellId,
    filter: z.string().min(1).optional().describe("Only lines with this text; no wildcards in the middle"),
  }),
  keys: { id: "shell_id" },
  toArguments: ({ shell_id, filter }) => given({ id: shell_id, filter: literalFilter(filter) }),
  state: (result) => {
    const { output, exit_code } = dataOf<JobData>(result)
    return {
      newOutput: output,
      ...(exit_code !== undefined && { exitCode: exit_code }),
      durationMs: durationOf(result),
      success: true,
    }
  },
})

/** Ends a background command. */
export const killCommandRow = lobeRow(localSystem, {
  api: "killCommand",
  titles: { en: "Kill command", "zh-CN": "终止命令" },
  tool: "job_stop",
  description: "Kill a running background command by its ID.",
  input: z.strictObject({ shell_id: shellId }),
  keys: { id: "shell_id" },
  toArguments: ({ shell_id }) => ({ id: shell_id }),
  state: (result) => ({ commandId: dataOf<JobData>(result).id, success: true }),
})

function endedState({ stdout, stderr, exit_code, signal, timed_out }: CommandData) {
  const end = exit_code === null ? `Ended by ${signal ?? "a signal"}` : `Exit code ${exit_code}`
  const success = exit_code === 0 && !timed_out
  return {
    exitCode: exit_code,
    output: [stdout, stderr].filter((stream) => stream !== "").join("\n"),
    stdout,
    stderr,
    success,
    ...(success ? {} : { error: timed_out ? "The command ran out of time" : end }),
  }
}

/** The id under the name of the argument that takes it. */
function startedText(result: ToolResult): string {
  const { id } = dataOf<JobData>(result)
  return `${textOf(result)}\n[shell_id ${id}: follow it with getCommandOutput, end it with killCommand]`
}

function startedState({ id, output, state }: JobData) {
  return { commandId: id, output, stdout: output, stderr: "", success: true, running: state === "running" }
}

function durationOf({ envelope }: ToolResult): number {
  return envelope.metadata.duration_ms
}

/**
 * The text that a regular expression looks for, where it looks for one. A pattern of a model never meets an engine
 * that goes back and tries again, so anything more is `invalid_args`.
 */
export function literalFilter(pattern: string | undefined): string | undefined {
  if (pattern === undefined) return undefined
  const core = pattern.replace(/^(\.\*)+/, "").replace(/(?<!\\)(\.\*)+$/, "")
  if (core === "") return undefined
  if (/^(?:[^\\^$.*+?()[\]{}|]|\\[^A-Za-z0-9])+$/.test(core)) return core.replace(/\\([^A-Za-z0-9])/g, "$1")
  throw new ToolError("invalid_args", `Cannot filter by "${pattern}": only a plain text can be looked for`, {
    hint: "Give the text itself, with a backslash before signs such as . and (",
  })
}
