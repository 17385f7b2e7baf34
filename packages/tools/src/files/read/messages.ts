import type { ToolMessages } from "@haft/contract"

/** The words of `read` for people. */
export const messages: ToolMessages = {
  en: { title: "Read file", loading: "Reading the file", done: "Read the file" },
  "zh-CN": { title: "读取文件", loading: "正在读取文件", done: "已读取文件" },
}
