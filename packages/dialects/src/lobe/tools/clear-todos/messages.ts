import type { ToolMessages } from "@haft/contract"

/** The words of `clear_todos` for people. */
export const messages: ToolMessages = {
  en: { title: "Clear todos", loading: "Clearing todos", done: "Cleared todos" },
  "zh-CN": { title: "清除待办", loading: "正在清除待办", done: "已清除待办" },
}
