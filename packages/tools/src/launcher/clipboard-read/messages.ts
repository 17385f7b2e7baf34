import type { ToolMessages } from "@haft/contract"

/** The words of `clipboard_read` for people. */
export const messages: ToolMessages = {
  en: { title: "Read clipboard", loading: "Reading the clipboard", done: "Read the clipboard" },
  "zh-CN": { title: "读取剪贴板", loading: "正在读取剪贴板", done: "已读取剪贴板" },
}
