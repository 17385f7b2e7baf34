import type { ToolMessages } from "@haft/contract"

/** The words of `powershell_start` for people. */
export const messages: ToolMessages = {
  en: { title: "Start PowerShell job", loading: "Starting the job", done: "Started the job" },
  "zh-CN": { title: "启动 PowerShell 后台任务", loading: "正在启动后台任务", done: "已启动后台任务" },
}
