import {
  type AnyDialectTool,
  type Dialect,
  defineDialectTool,
  type Projection,
  ToolError,
  type ToolResult,
} from "@haft/contract"
import * as z from "zod"
import { isOutput } from "../shared/failure-words.js"
import { dataOf } from "../shared/parts-of-result.js"
import { projectText, textValue } from "./project-text.js"

interface CommandData {
  readonly stdout: string
  readonly stderr: string
  readonly exit_code: number | null
  readonly timed_out?: boolean
}

const maxTimeoutMs = 600_000

/** The action of a `shell_call`, one command after the other: commands of one action share a shell and stop at nothing. */
const shell = defineDialectTool({
  name: "shell",
  tool: "bash",
  description: "Runs command lines in a sandbox. Each call starts fresh: cd and variables do not last.",
  input: z.object({
    commands: z.array(z.string().min(1)).min(1).describe("Command lines"),
    timeout_ms: z.int().min(1).nullish(),
    max_output_length: z.int().min(1).nullish(),
  }),
  toArguments: ({ commands, timeout_ms }) => ({
    command: commands.join("\n"),
    ...(timeout_ms != null && { timeout: Math.min(timeout_ms, maxTimeoutMs) }),
  }),
  toValue: (result) => {
    const { stdout, stderr, exit_code, timed_out } = dataOf<CommandData>(result)
    const outcome = timed_out ? { type: "timeout" } : { type: "exit", exit_code: exit_code ?? 1 }
    return { stdout, stderr, outcome }
  },
})

/** The action of a `local_shell_call`: a program with its arguments, no shell. */
const localShell = defineDialectTool({
  name: "local_shell",
  tool: "exec",
  description: "Runs one program with exactly these arguments, in a sandbox.",
  input: z.object({
    type: z.literal("exec").optional(),
    command: z.array(z.string()).min(1).describe("Program and arguments"),
    working_directory: z.string().nullish(),
    timeout_ms: z.int().nullish(),
    env: z.record(z.string(), z.string()).nullish(),
    user: z.string().nullish(),
  }),
  toArguments: ({ command: [program, ...args], working_directory, env, user }) => {
    const refused = user != null ? "user" : Object.keys(env ?? {}).length > 0 ? "env" : undefined
    if (refused !== undefined) {
      throw new ToolError("invalid_args", `Cannot call "local_shell": "${refused}" is not taken`, {
        hint: refused === "env" ? "Run it as env NAME=VALUE PROGRAM" : "Leave it out",
      })
    }
    return { command: program, args, ...(working_directory ? { cwd: working_directory } : {}) }
  },
  toValue: (result) => {
    const { stdout, stderr, exit_code } = dataOf<CommandData>(result)
    return { stdout, stderr, exit_code }
  },
})

const path = z
  .string()
  .min(1)
  .regex(/^[^\r\n]+$/, "must be one line")

/** The operation of an `apply_patch_call`. */
const applyPatch = defineDialectTool({
  name: "apply_patch",
  tool: "apply_patch",
  description: "Creates, updates or deletes one file.",
  input: z.object({
    type: z.enum(["create_file", "update_file", "delete_file"]),
    path: path.describe("File"),
    diff: z.string().optional().describe("create_file and update_file: the lines, each with its sign"),
  }),
  toArguments: ({ type, path, diff = "" }) => ({ patch: patchOf(type, path, diff) }),
  toValue: textValue,
})

const headings = { create_file: "Add File", update_file: "Update File", delete_file: "Delete File" } as const

function patchOf(type: keyof typeof headings, path: string, diff: string): string {
  // One operation is about one file: a diff must not begin another section.
  if (/^\*\*\* (?!End of File)/m.test(diff)) {
    throw new ToolError("invalid_args", 'Cannot call "apply_patch": the diff has a heading of its own', {
      hint: "Send one operation for each file, and only the lines of the change as its diff",
    })
  }
  const body = type === "delete_file" ? [] : [diff.replace(/\n$/, "")]
  return ["*** Begin Patch", `*** ${headings[type]}: ${path}`, ...body, "*** End Patch", ""].join("\n")
}

/** The tools that OpenAI's models know by themselves: their types in a request, their calls answered by ours. */
export const openai: Dialect = { name: "openai", tools: [shell, localShell, applyPatch], project }

function project(result: ToolResult, row: AnyDialectTool | undefined, input: unknown): Projection {
  const said = projectText(result)
  if (!row || !isOutput(result)) return said
  return { ...said, value: row.toValue(result, input) }
}
