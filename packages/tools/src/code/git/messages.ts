import type { ToolMessages } from "@haft/contract"

/** The words of `git` for people. */
export const messages: ToolMessages = {
  en: { title: "Git", loading: "Running git", done: "Ran git" },
  "zh-CN": { title: "Git", loading: "正在运行 Git", done: "已运行 Git" },
}
