import type { ToolMessages } from "@haft/contract"

/** The words of `write_text` for people. */
export const messages: ToolMessages = {
  en: { title: "Write text", loading: "Writing the text", done: "Wrote the text" },
  "zh-CN": { title: "写入文本", loading: "正在写入文本", done: "已写入文本" },
}
