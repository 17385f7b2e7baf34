import type { ToolMessages } from "@haft/contract"

/** The words of `grep_search` for people. */
export const messages: ToolMessages = {
  en: { title: "Search in files", loading: "Searching in files", done: "Searched in files" },
  "zh-CN": { title: "搜索内容", loading: "正在搜索内容", done: "已搜索内容" },
}
