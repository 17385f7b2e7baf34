import type { ToolMessages } from "@haft/contract"

/** The words of `differentiate_expression` for people. */
export const messages: ToolMessages = {
  en: { title: "Differentiate", loading: "Differentiating", done: "Differentiated" },
  "zh-CN": { title: "求导", loading: "正在求导", done: "已求导" },
}
