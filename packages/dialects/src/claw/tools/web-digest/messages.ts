import type { ToolMessages } from "@haft/contract"

/** The words of `web_digest` for people. */
export const messages: ToolMessages = {
  en: { title: "Page digest", loading: "Looking at a page", done: "Looked at a page" },
  "zh-CN": { title: "网页摘要", loading: "正在查看网页", done: "已查看网页" },
}
