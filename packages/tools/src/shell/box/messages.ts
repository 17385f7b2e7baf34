import type { ToolMessages } from "@haft/contract"

/** The words of `box` for people. */
export const messages: ToolMessages = {
  en: { title: "Run in a box", loading: "Running in a box", done: "Ran in a box" },
  "zh-CN": { title: "在沙箱机中运行", loading: "正在沙箱机中运行", done: "已在沙箱机中运行" },
}
