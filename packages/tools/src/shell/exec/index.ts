import { defineManifest, defineTool, type Example, type Present, type ToolMessages } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { anyProgram } from "../shared/any-program.js"
import { callTimeoutMs, defaultTimeoutMs } from "../shared/limits.js"
import { commandFields } from "../shared/output/command-data.js"
import { outputLimit, processText } from "../shared/output/command-text.js"

export const manifest = defineManifest({
  id: "exec",
  title: "Run program",
  description:
    "Runs one program with exactly these arguments, in a sandbox; no shell, so no pipes, globs or variables: use bash for those. Any exit code is a result; a program that cannot be started is an error. Use when arguments must not be interpreted.",
  input: z.strictObject({
    command: z.string().min(1).describe("Program: a name on the PATH or a path"),
    args: z.array(z.string()).default([]),
    cwd: z.string().min(1).optional().describe("Directory; default the working directory"),
  }),
  output: outputSchema(commandFields),
  requires: { shell: anyProgram },
  operands: ["command"],
  toolset: "launcher",
  kind: "execute",
  tier: "full-access",
  limit: outputLimit,
  retry: "never",
  timeoutMs: callTimeoutMs,
  effects: () => [],
  command: ({ command, args, cwd }) => ({
    kind: "argv",
    argv: [command, ...args],
    ...(cwd !== undefined && { directory: cwd }),
  }),
})

/** What the program printed, then how it ended where that is worth a line. */
const present: Present<typeof manifest> = (output) => processText(output, defaultTimeoutMs)

const messages: ToolMessages = {
  en: { title: "Run program", loading: "Running the program", done: "Ran the program" },
  "zh-CN": {
    title: "运行程序",
    loading: "正在运行程序",
    done: "已运行程序",
    summary: "在沙箱里用给定的参数运行一个程序，不经过 shell",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "arguments are not interpreted",
    input: { command: "echo", args: ["$HOME; *", "two"] },
    output: { stdout: "$HOME; * two\n", stderr: "", exit_code: 0 },
  },
  { name: "another exit code is a result", input: { command: "false" }, output: { exit_code: 1, stdout: "" } },
  {
    name: "in a folder of the workspace",
    files: { "src/a.txt": "" },
    input: { command: "ls", cwd: "src" },
    output: { stdout: "a.txt\n", exit_code: 0 },
  },
  {
    name: "a program that does not exist",
    input: { command: "no-such-program-anywhere" },
    fails: "not_found",
  },
]

/** Runs one program with the arguments as they are given. */
export const exec = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/command-faces.js"),
})
