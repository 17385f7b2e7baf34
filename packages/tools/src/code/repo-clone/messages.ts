import type { ToolMessages } from "@haft/contract"

/** The words of `repo_clone` for people. */
export const messages: ToolMessages = {
  en: { title: "Clone repository", loading: "Cloning a repository", done: "Cloned a repository" },
  "zh-CN": { title: "克隆仓库", loading: "正在克隆仓库", done: "已克隆仓库" },
}
