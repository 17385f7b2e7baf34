import type { ToolMessages } from "@haft/contract"

/** The words of `repo_overview` for people. */
export const messages: ToolMessages = {
  en: { title: "Project overview", loading: "Looking over the project", done: "Looked over the project" },
  "zh-CN": { title: "项目概览", loading: "正在浏览项目", done: "已浏览项目" },
}
