import type { ToolMessages } from "@haft/contract"

/** The words of `web_fetch` for people. */
export const messages: ToolMessages = {
  en: { title: "Fetch page", loading: "Fetching a page", done: "Fetched a page" },
  "zh-CN": { title: "抓取网页", loading: "正在抓取网页", done: "已抓取网页" },
}
