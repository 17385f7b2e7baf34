import type { ToolMessages } from "@haft/contract"

/** The words of `exec` for people. */
export const messages: ToolMessages = {
  en: { title: "Run program", loading: "Running the program", done: "Ran the program" },
  "zh-CN": { title: "运行程序", loading: "正在运行程序", done: "已运行程序" },
}
