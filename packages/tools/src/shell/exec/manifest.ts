import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { anyProgram } from "../shared/any-program.js"
import { commandFields } from "../shared/output/command-data.js"
import { outputLimit } from "../shared/output/output-limit.js"
import { callTimeoutMs } from "../shared/time-limits.js"

/** What is known about `exec` without running it. */
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
