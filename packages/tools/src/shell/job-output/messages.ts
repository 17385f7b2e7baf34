import type { ToolMessages } from "@haft/contract"

/** The words of `job_output` for people. */
export const messages: ToolMessages = {
  en: { title: "Job output", loading: "Waiting for output of the job", done: "Read output of the job" },
  "zh-CN": { title: "任务输出", loading: "正在等待任务输出", done: "已读取任务输出" },
}
