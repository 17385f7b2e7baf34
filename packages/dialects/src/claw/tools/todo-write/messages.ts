import type { ToolMessages } from "@haft/contract"

/** The words of `todo_write` for people. */
export const messages: ToolMessages = {
  en: { title: "Todo list", loading: "Updating the todo list", done: "Updated the todo list" },
  "zh-CN": { title: "待办列表", loading: "正在更新待办列表", done: "已更新待办列表" },
}
