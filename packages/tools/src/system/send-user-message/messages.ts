import type { ToolMessages } from "@haft/contract"

/** The words of `send_user_message` for people. */
export const messages: ToolMessages = {
  en: { title: "Message", loading: "Sending a message", done: "Sent a message" },
  "zh-CN": { title: "消息", loading: "正在发送消息", done: "已发送消息" },
}
