import type { ToolMessages } from "@haft/contract"

/** The words of `glob_search` for people. */
export const messages: ToolMessages = {
  en: { title: "Find newest files", loading: "Finding files", done: "Found files" },
  "zh-CN": { title: "查找最新文件", loading: "正在查找文件", done: "已查找文件" },
}
