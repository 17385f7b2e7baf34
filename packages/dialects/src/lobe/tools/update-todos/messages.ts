import type { ToolMessages } from "@haft/contract"

/** The words of `update_todos` for people. */
export const messages: ToolMessages = {
  en: { title: "Update todos", loading: "Updating todos", done: "Updated todos" },
  "zh-CN": { title: "更新待办", loading: "正在更新待办", done: "已更新待办" },
}
