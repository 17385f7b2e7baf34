import type { ToolMessages } from "@haft/contract"

/** The words of `clipboard_write` for people. */
export const messages: ToolMessages = {
  en: { title: "Write clipboard", loading: "Writing to the clipboard", done: "Wrote to the clipboard" },
  "zh-CN": { title: "写入剪贴板", loading: "正在写入剪贴板", done: "已写入剪贴板" },
}
