import { defineManifest, defineTool, type Example, type Present, type ToolMessages } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { commandHabits } from "../shared/command-habits.js"
import { maxTimeoutMs } from "../shared/limits.js"
import { orderSchema } from "../shared/output/command-data.js"
import { concealedNotes, outputLimit, printedText, wordedOutput } from "../shared/output/command-text.js"

/** How long a command in a box runs when the call does not say. */
const defaultTimeoutMs = 60_000
// Trying the backends, waiting for a free machine and starting it come before the command's own time.
const callTimeoutMs = maxTimeoutMs + 120_000

export const manifest = defineManifest({
  id: "box",
  title: "Run in a box",
  description:
    "Runs one command in a fresh virtual machine; it sees only the files given here, reaches only hosts that the user granted (else no network), and nothing of it stays. Use for untrusted or experimental code; for work on this workspace use bash.",
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
      network: z.enum(["none", "proxy"]).describe("proxy: only hosts that the user granted"),
      image: z.string(),
      digest: z.string(),
      os: z.string().describe("What the image itself says it is"),
      snapshot: z.boolean(),
    }),
    ms: z.strictObject({ boot: z.int(), run: z.int() }),
  }),
  requires: { capabilities: ["box"] },
  operands: ["command"],
  toolset: "code",
  kind: "execute",
  tier: "full-access",
  limit: outputLimit,
  retry: "never",
  timeoutMs: callTimeoutMs,
  effects: () => [],
  habits: commandHabits,
})

/** What the command printed, then how it ended where that is worth a line. */
const present: Present<typeof manifest> = (output, { timeout }) => {
  const { exit_code, timed_out, isolation } = output
  const printed = printedText(output)
  const notes = [
    ...(timed_out ? [`timed out after ${timeout} ms`] : exit_code === 0 ? [] : [`exit code ${exit_code}`]),
    // A weaker sandbox than a machine is the operator's choice and must be seen.
    ...(isolation.level.startsWith("vm") ? [] : [`isolation: ${isolation.level}`]),
    ...concealedNotes(printed),
  ]
  return wordedOutput(printed, notes)
}

const messages: ToolMessages = {
  en: { title: "Run in a box", loading: "Running in a box", done: "Ran in a box" },
  "zh-CN": {
    title: "在沙箱机中运行",
    loading: "正在沙箱机中运行",
    done: "已在沙箱机中运行",
    summary: "在全新的虚拟机里运行一条命令，只能看到给它的文件，结束后什么也不留下",
  },
}

// The machine of these examples must be installed: haft box image build debian-12
const image = "debian-12"

export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "look around in the machine",
    input: { command: 'python3 -c \'import os; print("proc" in os.listdir("/"))\'', image },
    output: { stdout: "True\n", exit_code: 0, timed_out: false },
  },
  {
    name: "run with injected files",
    input: {
      command: "python3 /sandbox/script.py",
      image,
      files: { "/sandbox/script.py": "print('hello from sandbox')" },
    },
    output: { stdout: "hello from sandbox\n", exit_code: 0, timed_out: false },
  },
  {
    name: "a failing command is a result",
    input: { command: "echo problem >&2; exit 7", image },
    output: { stdout: "", stderr: "problem\n", exit_code: 7 },
  },
  {
    name: "an image that is not installed is refused",
    input: { command: "true", image: "not-installed" },
    fails: "not_configured",
  },
]

/** Runs one command in a machine of its own. */
export const box = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/command-faces.js"),
})
