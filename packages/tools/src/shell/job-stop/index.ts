import { defineManifest, defineTool, type Example, type Present, type ToolMessages } from "@haft/contract"
import * as z from "zod"
import { anyProgram } from "../shared/any-program.js"
import { jobOutputLimit, jobOutputSchema, jobText } from "../shared/jobs/job-data.js"
import { jobIdSchema } from "../shared/jobs/job-id-schema.js"

export const manifest = defineManifest({
  id: "job_stop",
  title: "Stop job",
  description:
    "Ends a job with every process that it started, and returns what it printed since the last look. Use when it is no longer needed; a job that has ended already stays as it is.",
  input: z.strictObject({ id: jobIdSchema }),
  output: jobOutputSchema,
  requires: { shell: anyProgram },
  operands: ["id"],
  toolset: "code",
  defaults: [{ action: "allow" }],
  kind: "execute",
  tier: "full-access",
  limit: jobOutputLimit,
  retry: "never",
  timeoutMs: 30_000,
  effects: () => [],
})

/** What the job printed last, and that it ended. */
const present: Present<typeof manifest> = (job) => jobText(job, "")

const messages: ToolMessages = {
  en: { title: "Stop job", loading: "Stopping the job", done: "Stopped the job" },
  "zh-CN": {
    title: "停止后台任务",
    loading: "正在停止后台任务",
    done: "已停止后台任务",
    summary: "结束作业和它启动的所有进程，并返回剩余的输出",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "a job that does not exist", input: { id: "job_9" }, fails: "not_found" },
  { name: "a process number is no job", input: { id: "1" }, fails: "not_found" },
  { name: "a path is no job", input: { id: "../job_1" }, fails: "not_found" },
]

/** Ends a job with all its processes. */
export const jobStop = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/command-faces.js"),
})
