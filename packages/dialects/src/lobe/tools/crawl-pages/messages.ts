import type { ToolMessages } from "@haft/contract"

/** The words of `crawl_pages` for people. */
export const messages: ToolMessages = {
  en: { title: "Read pages", loading: "Reading pages", done: "Read pages" },
  "zh-CN": { title: "读取网页", loading: "正在读取网页", done: "已读取网页" },
}
