import type { ToolMessages } from "@haft/contract"

/** The words of `job_input` for people. */
export const messages: ToolMessages = {
  en: { title: "Job input", loading: "Sending input to the job", done: "Sent input to the job" },
  "zh-CN": { title: "任务输入", loading: "正在向任务发送输入", done: "已向任务发送输入" },
}
