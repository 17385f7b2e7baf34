import type { ToolMessages } from "@haft/contract"

/** The words of `calculate_expression` for people. */
export const messages: ToolMessages = {
  en: { title: "Calculate", loading: "Calculating", done: "Calculated" },
  "zh-CN": { title: "计算", loading: "正在计算", done: "已计算" },
}
