import { defineManifest, defineTool, type Example, type Present, type ToolMessages } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { anyProgram } from "../shared/any-program.js"
import { callTimeoutMs, timeoutSchema } from "../shared/limits.js"
import { processFields } from "../shared/output/command-data.js"
import { outputLimit, processText } from "../shared/output/command-text.js"

export const manifest = defineManifest({
  id: "repl",
  title: "Evaluate code",
  description:
    "Evaluates code in an interpreter of this session, in a sandbox; what it defines is there in the next call, one interpreter a language. Use for calculations and to explore data step by step; to run programs use bash.",
  input: z.strictObject({
    code: z.string().min(1),
    language: z.enum(["python", "javascript", "shell"]),
    timeout_ms: timeoutSchema,
  }),
  output: outputSchema(processFields),
  requires: { shell: anyProgram },
  operands: ["language", "code"],
  toolset: "system",
  kind: "execute",
  tier: "full-access",
  limit: outputLimit,
  retry: "never",
  timeoutMs: callTimeoutMs,
  effects: () => [],
  // What earlier calls defined decides what a line does, so no analysis of this one could be trusted.
  command: ({ language }) => ({ kind: "opaque", label: `${language} code` }),
})

/** What the code printed, then how it ended where that is worth a line. */
const present: Present<typeof manifest> = (output, { timeout_ms }) => processText(output, timeout_ms)

const messages: ToolMessages = {
  en: { title: "Evaluate code", loading: "Evaluating code", done: "Evaluated code" },
  "zh-CN": {
    title: "执行代码",
    loading: "正在执行代码",
    done: "已执行代码",
    summary: "在会话的解释器里运行代码；定义的内容在下一次调用时仍在",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a calculation in Python",
    input: { language: "python", code: "print(sum(range(11)))" },
    output: { stdout: "55\n", exit_code: 0, timed_out: false },
  },
  {
    name: "a line of JavaScript",
    input: { language: "javascript", code: "console.log([3, 1, 2].sort().join())" },
    output: { stdout: "1,2,3\n", exit_code: 0 },
  },
  {
    name: "a line of shell",
    input: { language: "shell", code: "name=world; echo hello $name" },
    output: { stdout: "hello world\n", exit_code: 0 },
  },
  {
    name: "code that raises is a result",
    input: { language: "python", code: "raise ValueError('no')" },
    output: { stdout: "", exit_code: 1, timed_out: false },
  },
]

/** Evaluates code in an interpreter that keeps its state. */
export const repl = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/command-faces.js"),
})
