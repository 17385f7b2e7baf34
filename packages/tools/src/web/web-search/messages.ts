import type { ToolMessages } from "@haft/contract"

/** The words of `web_search` for people. */
export const messages: ToolMessages = {
  en: { title: "Web search", loading: "Searching the web", done: "Searched the web" },
  "zh-CN": { title: "网页搜索", loading: "正在搜索网页", done: "已搜索网页" },
}
