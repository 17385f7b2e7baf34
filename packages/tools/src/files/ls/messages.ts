import type { ToolMessages } from "@haft/contract"

/** The words of `ls` for people. */
export const messages: ToolMessages = {
  en: { title: "List directory", loading: "Listing the directory", done: "Listed the directory" },
  "zh-CN": { title: "列出目录", loading: "正在列出目录", done: "已列出目录" },
}
