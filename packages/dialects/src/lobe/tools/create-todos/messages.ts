import type { ToolMessages } from "@haft/contract"

/** The words of `create_todos` for people. */
export const messages: ToolMessages = {
  en: { title: "Add todos", loading: "Adding todos", done: "Added todos" },
  "zh-CN": { title: "添加待办", loading: "正在添加待办", done: "已添加待办" },
}
