import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { outputLimit } from "../shared/output/output-limit.js"
import { orderSchema } from "../shared/output/process-data.js"
import { maxTimeoutMs } from "../shared/time-limits.js"
import { commandHabits } from "../shared/command-habits.js"

/** How long a command in a box runs when the call does not say. */
const defaultTimeoutMs = 60_000
// Trying the backends, waiting for a free machine and starting it come before the command's own time.
const callTimeoutMs = maxTimeoutMs + 120_000

/** What is known about `box` without running it. */
export const manifest = defineManifest({
  id: "box",
  title: "Run in a box",
  description:
    "Runs one command in a fresh virtual machine without network; it sees only the files given here, and nothing of it stays. Use for untrusted or experimental code; for work on this workspace use bash.",
  input: z.strictObject({
    command: z.string().min(1),
    image: z.string().min(1).optional().describe("Installed image; default ubuntu-22.04 or what the host has set"),
    timeout: z.int().min(1).max(maxTimeoutMs).default(defaultTimeoutMs).describe("ms"),
    files: z
      .record(z.string(), z.string())
      .default({})
      .describe("Content by path in the machine; relative paths land in /work, where the command starts"),
  }),
  output: outputSchema({
    ok: z.literal(true),
    stdout: z.string(),
    stderr: z.string(),
    order: orderSchema,
    exit_code: z.int().nullable().describe("Null when the time ran out"),
    timed_out: z.boolean(),
    isolation: z.strictObject({
      level: z.string().describe("vm, vm-emulated or container"),
      asked: z.string(),
      backend: z.string(),
      nested_in: z.string(),
      network: z.literal("none"),
      image: z.string(),
      digest: z.string(),
      os: z.string().describe("What the image itself says it is"),
      snapshot: z.boolean(),
    }),
    ms: z.strictObject({ boot: z.int(), run: z.int() }),
  }),
  requires: { capabilities: ["box"] },
  toolset: "code",
  kind: "execute",
  tier: "full-access",
  limit: outputLimit,
  retry: "never",
  timeoutMs: callTimeoutMs,
  effects: () => [],
  habits: commandHabits,
})
