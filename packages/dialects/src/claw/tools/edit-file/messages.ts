import type { ToolMessages } from "@haft/contract"

/** The words of `edit_file` for people. */
export const messages: ToolMessages = {
  en: { title: "Edit file", loading: "Editing the file", done: "Edited the file" },
  "zh-CN": { title: "编辑文件", loading: "正在编辑文件", done: "已编辑文件" },
}
