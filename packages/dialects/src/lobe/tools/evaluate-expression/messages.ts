import type { ToolMessages } from "@haft/contract"

/** The words of `evaluate_expression` for people. */
export const messages: ToolMessages = {
  en: { title: "Evaluate expression", loading: "Evaluating", done: "Evaluated" },
  "zh-CN": { title: "表达式求值", loading: "正在求值", done: "已求值" },
}
