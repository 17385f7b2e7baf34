import { defineManifest, defineTool, type Example, type Present, type ToolMessages } from "@haft/contract"
import * as z from "zod"
import { anyProgram } from "../shared/any-program.js"
import { commandHabits } from "../shared/command-habits.js"
import { jobOutputLimit, jobOutputSchema, jobText } from "../shared/jobs/job-data.js"

export const manifest = defineManifest({
  id: "job_start",
  title: "Start job",
  description:
    "Starts a bash command line that goes on after this call, in a sandbox, and returns its id; it ends with the session at the latest. Use for servers, watchers and work of many minutes; for everything else use bash. Look at it with job_output, end it with job_stop.",
  input: z.strictObject({ command: z.string().min(1) }),
  output: jobOutputSchema,
  requires: { shell: anyProgram },
  operands: ["command"],
  toolset: "code",
  outlivesCall: true,
  kind: "execute",
  tier: "full-access",
  limit: jobOutputLimit,
  retry: "never",
  timeoutMs: 30_000,
  effects: () => [],
  command: ({ command }) => ({ kind: "bash", text: command }),
  habits: commandHabits,
})

/** The id to go on with; a job that has just begun has seldom printed anything. */
const present: Present<typeof manifest> = (job) => jobText(job, "")

const messages: ToolMessages = {
  en: { title: "Start job", loading: "Starting the job", done: "Started the job" },
  "zh-CN": {
    title: "启动后台任务",
    loading: "正在启动后台任务",
    done: "已启动后台任务",
    summary: "在沙箱里启动一行 bash 命令，调用结束后它继续运行，最迟随会话结束",
  },
}

const examples: readonly Example<typeof manifest>[] = [
  { name: "a command that goes on", input: { command: "sleep 60" }, output: { state: "running" } },
  {
    name: "a server that prints when it is up",
    input: { command: "sleep 0.2; echo listening; sleep 60" },
    output: { state: "running" },
  },
  { name: "a NUL character reaches no shell", input: { command: "echo a\0b" }, fails: "invalid_args" },
]

/** Starts a command that outlives its call. */
export const jobStart = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("../ui/command-faces.js"),
})
