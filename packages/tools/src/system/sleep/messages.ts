import type { ToolMessages } from "@haft/contract"

/** The words of `sleep` for people. */
export const messages: ToolMessages = {
  en: { title: "Sleep", loading: "Waiting", done: "Waited" },
  "zh-CN": { title: "等待", loading: "正在等待", done: "已等待" },
}
