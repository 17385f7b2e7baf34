import type { ToolMessages } from "@haft/contract"

/** The words of `web_search_engines` for people. */
export const messages: ToolMessages = {
  en: {
    title: "Web search with engines",
    loading: "Searching the web with several engines",
    done: "Searched the web with several engines",
  },
  "zh-CN": { title: "多引擎网页搜索", loading: "正在用多个引擎搜索网页", done: "已用多个引擎搜索网页" },
}
