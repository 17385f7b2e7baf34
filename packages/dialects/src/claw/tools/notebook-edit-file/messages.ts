import type { ToolMessages } from "@haft/contract"

/** The words of `notebook_edit_file` for people. */
export const messages: ToolMessages = {
  en: { title: "Edit notebook", loading: "Editing the notebook", done: "Edited the notebook" },
  "zh-CN": { title: "编辑笔记本", loading: "正在编辑笔记本", done: "已编辑笔记本" },
}
