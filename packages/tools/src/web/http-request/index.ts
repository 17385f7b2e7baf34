import { defineTool, type Present, type ToolMessages, text } from "@haft/contract"
import { manifest } from "./manifest.js"

/** The answer as it would be on the wire. */
const present: Present<typeof manifest> = ({ status, status_text, headers, body, cut }) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const rest = cut ? "\n[The body goes on past 5 MB]" : ""
  return [
    text([`${status} ${status_text}`.trim(), ...lines, "", body === "" ? "[No body]" : `${body}${rest}`].join("\n")),
  ]
}

/** The words of `http_request` for people. */
const messages: ToolMessages = {
  en: { title: "HTTP request", loading: "Sending a request", done: "Sent a request" },
  "zh-CN": {
    title: "HTTP 请求",
    loading: "正在发送请求",
    done: "已发送请求",
    summary: "发送一个 HTTP 请求，返回原始响应",
  },
}

/** Sends one request and gives the raw answer. */
export const httpRequest = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: () => import("./examples.js"),
  faces: () => import("../ui/page-faces.js"),
})
