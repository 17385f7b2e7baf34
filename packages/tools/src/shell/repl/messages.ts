import type { ToolMessages } from "@haft/contract"

/** The words of `repl` for people. */
export const messages: ToolMessages = {
  en: { title: "Evaluate code", loading: "Evaluating code", done: "Evaluated code" },
  "zh-CN": { title: "执行代码", loading: "正在执行代码", done: "已执行代码" },
}
