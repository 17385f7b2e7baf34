import type { ToolMessages } from "@haft/contract"

/** The words of `tool_search` for people. */
export const messages: ToolMessages = {
  en: { title: "Tool search", loading: "Looking for tools", done: "Looked for tools" },
  "zh-CN": { title: "查找工具", loading: "正在查找工具", done: "已查找工具" },
}
