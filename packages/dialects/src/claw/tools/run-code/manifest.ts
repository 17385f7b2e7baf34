import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "@haft/tools/output.js"
import { anyProgram } from "@haft/tools/shell/shared/any-program.js"
import { commandFields } from "@haft/tools/shell/shared/output/command-data.js"
import { outputLimit } from "@haft/tools/shell/shared/output/output-limit.js"
import { callTimeoutMs, timeoutSchema } from "@haft/tools/shell/shared/time-limits.js"

/** What is known about `run_code` without running it. */
export const manifest = defineManifest({
  id: "run_code",
  title: "Run code",
  description:
    "Runs code in a new interpreter, in a sandbox; nothing is kept for the next call. Any exit code is a result, running out of time is an error. Use for one piece of code that stands alone.",
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
