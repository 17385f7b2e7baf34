import type { ToolMessages } from "@haft/contract"

/** The words of `bash` for people. */
export const messages: ToolMessages = {
  en: { title: "Run command", loading: "Running the command", done: "Ran the command" },
  "zh-CN": { title: "运行命令", loading: "正在运行命令", done: "已运行命令" },
}
