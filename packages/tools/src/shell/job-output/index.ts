import { defineManifest, defineTool, type Example, type Present, type ToolMessages } from "@haft/contract"
import * as z from "zod"
import { anyProgram } from "../shared/any-program.js"
import { jobOutputLimit, jobOutputSchema, jobText } from "../shared/jobs/job-data.js"
import { jobIdSchema } from "../shared/jobs/job-id-schema.js"

// The longest wait of one look; a model that waits longer looks again.
const maxWaitMs = 300_000

export const manifest = defineManifest({
  id: "job_output",
  title: "Job output",
  description:
    "Returns what a job has printed since the last look, and whether it still runs. Use with wait_ms to wait for new output or the end instead of asking again and again.",
  input: z.strictObject({
    id: jobIdSchema,
    wait_ms: z.int().min(0).max(maxWaitMs).default(0).describe("Longest wait for something new"),
    filter: z.string().min(1).optional().describe("Only lines that contain this text"),
  }),
  output: jobOutputSchema,
  requires: { shell: anyProgram },
  operands: ["id"],
  toolset: "code",
  defaults: [{ action: "allow" }],
  kind: "execute",
  tier: "full-access",
  limit: jobOutputLimit,
  retry: "safe",
  timeoutMs: maxWaitMs + 30_000,
  effects: () => [],
  polls: true,
})

/** What is new, then what has become of the job. */
const present: Present<typeof manifest> = (job) => jobText(job)

const messages: ToolMessages = {
  en: { title: "Job output", loading: "Waiting for output of the job", done: "Read output of the job" },
  "zh-CN": {
    title: "任务输出",
    loading: "正在等待任务输出",
    done: "已读取任务输出",
    summary: "返回作业自上次查看以来打印的内容，以及它是否仍在运行",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "a job that does not exist", input: { id: "job_9" }, fails: "not_found" },
  { name: "nothing to wait for", input: { id: "job_9", wait_ms: 60_000 }, fails: "not_found" },
  { name: "nothing to filter", input: { id: "job_9", filter: "error" }, fails: "not_found" },
]

/** Gives what a job has printed since the last look. */
export const jobOutput = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/command-faces.js"),
})
