import type { ToolMessages } from "@haft/contract"

/** The words of `calculator` for people. */
export const messages: ToolMessages = {
  en: { title: "Calculator", loading: "Calculating", done: "Calculated" },
  "zh-CN": { title: "计算器", loading: "正在计算", done: "已计算" },
}
