import type { ToolMessages } from "@haft/contract"

/** The words of `http_request` for people. */
export const messages: ToolMessages = {
  en: { title: "HTTP request", loading: "Sending a request", done: "Sent a request" },
  "zh-CN": { title: "HTTP 请求", loading: "正在发送请求", done: "已发送请求" },
}
