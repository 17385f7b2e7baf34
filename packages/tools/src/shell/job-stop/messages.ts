import type { ToolMessages } from "@haft/contract"

/** The words of `job_stop` for people. */
export const messages: ToolMessages = {
  en: { title: "Stop job", loading: "Stopping the job", done: "Stopped the job" },
  "zh-CN": { title: "停止后台任务", loading: "正在停止后台任务", done: "已停止后台任务" },
}
