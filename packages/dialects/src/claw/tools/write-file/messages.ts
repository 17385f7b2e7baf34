import type { ToolMessages } from "@haft/contract"

/** The words of `write_file` for people. */
export const messages: ToolMessages = {
  en: { title: "Write file", loading: "Writing the file", done: "Wrote the file" },
  "zh-CN": { title: "写入文件", loading: "正在写入文件", done: "已写入文件" },
}
