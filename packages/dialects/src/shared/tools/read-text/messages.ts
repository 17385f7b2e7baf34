import type { ToolMessages } from "@haft/contract"

/** The words of `read_text` for people. */
export const messages: ToolMessages = {
  en: { title: "Read text", loading: "Reading the text", done: "Read the text" },
  "zh-CN": { title: "读取文本", loading: "正在读取文本", done: "已读取文本" },
}
