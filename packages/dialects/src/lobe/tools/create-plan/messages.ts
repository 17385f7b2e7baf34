import type { ToolMessages } from "@haft/contract"

/** The words of `create_plan` for people. */
export const messages: ToolMessages = {
  en: { title: "Create plan", loading: "Creating a plan", done: "Created a plan" },
  "zh-CN": { title: "创建计划", loading: "正在创建计划", done: "已创建计划" },
}
