import type { ToolMessages } from "@haft/contract"

/** The words of `structured_output` for people. */
export const messages: ToolMessages = {
  en: { title: "Structured output", loading: "Checking the result", done: "Returned the result" },
  "zh-CN": { title: "结构化输出", loading: "正在检查结果", done: "已返回结果" },
}
