import type { ToolMessages } from "@haft/contract"

/** The words of `run_code` for people. */
export const messages: ToolMessages = {
  en: { title: "Run code", loading: "Running the code", done: "Ran the code" },
  "zh-CN": { title: "运行代码", loading: "正在运行代码", done: "已运行代码" },
}
