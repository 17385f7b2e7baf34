import { defineManifest, defineTool, type Example, type Present, type ToolMessages } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import { anyProgram } from "@haft/tools/shell/shared/any-program.js"
import { callTimeoutMs, timeoutSchema } from "@haft/tools/shell/shared/limits.js"
import { commandFields } from "@haft/tools/shell/shared/output/command-data.js"
import { outputLimit, processText } from "@haft/tools/shell/shared/output/command-text.js"
import * as z from "zod"

export const manifest = defineManifest({
  id: "run_code",
  title: "Run code",
  description:
    "Runs code in a new interpreter, in a sandbox; nothing is kept for the next call. Any exit code is a result, running out of time is an error. Use for one piece of code that is alone.",
  input: z.strictObject({
    code: z.string().min(1),
    language: z.enum(["python", "javascript", "shell"]),
    timeout_ms: timeoutSchema,
  }),
  output: outputSchema(commandFields),
  requires: { shell: anyProgram },
  kind: "execute",
  tier: "full-access",
  limit: outputLimit,
  retry: "never",
  timeoutMs: callTimeoutMs,
  effects: () => [],
  command: ({ code, language }) => {
    if (language === "shell") return { kind: "bash", text: code }
    return { kind: "argv", argv: language === "python" ? ["python3", "-c", code] : ["node", "-e", code] }
  },
  judgedLike: "repl",
})

/** What the code printed, then how it ended where that is worth a line. */
const present: Present<typeof manifest> = (output, { timeout_ms }) => processText(output, timeout_ms)

const messages: ToolMessages = {
  en: { title: "Run code", loading: "Running the code", done: "Ran the code" },
  "zh-CN": { title: "运行代码", loading: "正在运行代码", done: "已运行代码" },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "JavaScript",
    input: { code: "console.log(6 * 7)", language: "javascript" },
    output: { stdout: "42\n", stderr: "", exit_code: 0 },
  },
  {
    name: "code that fails is a result",
    input: { code: "process.exit(3)", language: "javascript" },
    output: { stdout: "", exit_code: 3 },
  },
  {
    name: "a shell",
    files: { "a.txt": "one\n" },
    input: { code: "cat a.txt", language: "shell" },
    output: { stdout: "one\n", exit_code: 0 },
  },
  {
    name: "running out of time is an error",
    input: { code: "sleep 30", language: "shell", timeout_ms: 200 },
    fails: "timeout",
  },
]

/** Runs code in a new interpreter. */
export const runCode = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/shell/ui/command-faces.js"),
})
