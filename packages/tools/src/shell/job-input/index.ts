import { defineManifest, defineTool, type Example, type Present, type ToolMessages } from "@haft/contract"
import * as z from "zod"
import { anyProgram } from "../shared/any-program.js"
import { jobOutputLimit, jobOutputSchema, jobText } from "../shared/jobs/job-data.js"
import { jobIdSchema } from "../shared/jobs/job-id-schema.js"

export const manifest = defineManifest({
  id: "job_input",
  title: "Job input",
  description:
    "Writes text to the standard input of a job as it is: end it with a line break where the program reads lines. Use to answer a program or to drive a prompt; see the answer with job_output.",
  input: z.strictObject({ id: jobIdSchema, text: z.string().min(1) }),
  output: jobOutputSchema,
  requires: { shell: anyProgram },
  operands: ["id", "text"],
  toolset: "code",
  kind: "execute",
  tier: "full-access",
  limit: jobOutputLimit,
  retry: "never",
  timeoutMs: 30_000,
  effects: () => [],
  // The job may be a shell, which would run each line: a command that may not run may not be typed either.
  command: ({ text }) => ({ kind: "bash", text }),
})

/** What the job printed meanwhile, and what has become of it. */
const present: Present<typeof manifest> = (job) => jobText(job, "")

const messages: ToolMessages = {
  en: { title: "Job input", loading: "Sending input to the job", done: "Sent input to the job" },
  "zh-CN": {
    title: "任务输入",
    loading: "正在向任务发送输入",
    done: "已向任务发送输入",
    summary: "把文本原样写入作业的标准输入",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "a line for a job that does not exist", input: { id: "job_9", text: "yes\n" }, fails: "not_found" },
  { name: "a key for a job that does not exist", input: { id: "job_9", text: "q" }, fails: "not_found" },
  { name: "an interrupt for a job that does not exist", input: { id: "job_9", text: "\u0003" }, fails: "not_found" },
]

/** Types into a job. */
export const jobInput = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/command-faces.js"),
})
