import type { ToolMessages } from "@haft/contract"

/** The words of `question` for people. */
export const messages: ToolMessages = {
  en: { title: "Question", loading: "Waiting for an answer", done: "Asked" },
  "zh-CN": { title: "提问", loading: "正在等待回答", done: "已提问" },
}
