import type { ToolMessages } from "@haft/contract"

/** The words of `find_files` for people. */
export const messages: ToolMessages = {
  en: { title: "Find files by name", loading: "Looking for files", done: "Looked for files" },
  "zh-CN": { title: "按名称查找文件", loading: "正在按名称查找文件", done: "已按名称查找文件" },
}
