import type { ToolMessages } from "@haft/contract"

/** The words of `glob` for people. */
export const messages: ToolMessages = {
  en: { title: "Find files", loading: "Finding files", done: "Found files" },
  "zh-CN": { title: "查找文件", loading: "正在查找文件", done: "已查找文件" },
}
