import type { ToolMessages } from "@haft/contract"

/** The words of `index_search` for people. */
export const messages: ToolMessages = {
  en: { title: "Search launcher", loading: "Searching the launcher", done: "Searched the launcher" },
  "zh-CN": { title: "搜索启动器", loading: "正在搜索启动器", done: "已搜索启动器" },
}
