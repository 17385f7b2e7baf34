import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { anyProgram } from "../shared/any-program.js"
import { outputLimit } from "../shared/output/output-limit.js"
import { processFields } from "../shared/output/process-data.js"
import { callTimeoutMs, timeoutSchema } from "../shared/time-limits.js"

/** What is known about `repl` without running it. */
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
