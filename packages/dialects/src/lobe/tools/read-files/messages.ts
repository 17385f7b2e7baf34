import type { ToolMessages } from "@haft/contract"

/** The words of `read_files` for people. */
export const messages: ToolMessages = {
  en: { title: "Read files", loading: "Reading files", done: "Read files" },
  "zh-CN": { title: "读取多个文件", loading: "正在读取文件", done: "已读取文件" },
}
