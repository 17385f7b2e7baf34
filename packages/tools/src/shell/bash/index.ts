import { defineManifest, defineTool, type Present, type ToolMessages } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { anyProgram } from "../shared/any-program.js"
import { backgroundHabits, commandHabits } from "../shared/command-habits.js"
import { callTimeoutMs, timeoutSchema } from "../shared/limits.js"
import { commandFields } from "../shared/output/command-data.js"
import { outputLimit, processText } from "../shared/output/command-text.js"

/** What is known about `bash` without running it. */
export const manifest = defineManifest({
  id: "bash",
  title: "Run command",
  description:
    "Runs a bash command line in the working directory, in a sandbox; returns stdout, stderr, exit code. Each call starts fresh: cd and variables do not last. No network unless granted; /tmp lasts for the session; background processes end with the call (use job_start). Use for builds, tests, git. For files use read, grep, glob, edit.",
  input: z.strictObject({
    command: z.string().min(1).describe("Command line"),
    timeout: timeoutSchema.describe("ms"),
  }),
  output: outputSchema(commandFields),
  requires: { shell: anyProgram },
  operands: ["command"],
  toolset: "locked",
  kind: "execute",
  tier: "full-access",
  limit: outputLimit,
  retry: "never",
  timeoutMs: callTimeoutMs,
  effects: () => [],
  command: ({ command }) => ({ kind: "bash", text: command }),
  habits: { ...commandHabits, ...backgroundHabits },
})

/** The words of `bash` for people. */
const messages: ToolMessages = {
  en: { title: "Run command", loading: "Running the command", done: "Ran the command" },
  "zh-CN": {
    title: "运行命令",
    loading: "正在运行命令",
    done: "已运行命令",
    summary: "在沙箱里运行一行 bash 命令，返回输出和退出码",
  },
}

/** What the command printed, then how it ended where that is worth a line. */
const present: Present<typeof manifest> = (output, { timeout }) => processText(output, timeout)

/** Runs one command line to its end. */
export const bash = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: () => import("./examples.js"),
  faces: () => import("../ui/command-faces.js"),
})
