import type { ToolMessages } from "@haft/contract"

/** The words of `move` for people. */
export const messages: ToolMessages = {
  en: { title: "Move files", loading: "Moving files", done: "Moved files" },
  "zh-CN": { title: "移动文件", loading: "正在移动文件", done: "已移动文件" },
}
