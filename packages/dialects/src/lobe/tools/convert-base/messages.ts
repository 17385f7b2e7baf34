import type { ToolMessages } from "@haft/contract"

/** The words of `convert_base` for people. */
export const messages: ToolMessages = {
  en: { title: "Convert base", loading: "Converting the number", done: "Converted the number" },
  "zh-CN": { title: "进制转换", loading: "正在转换进制", done: "已转换进制" },
}
