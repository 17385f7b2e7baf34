import type { ToolMessages } from "@haft/contract"

/** The words of `update_plan` for people. */
export const messages: ToolMessages = {
  en: { title: "Update plan", loading: "Updating the plan", done: "Updated the plan" },
  "zh-CN": { title: "更新计划", loading: "正在更新计划", done: "已更新计划" },
}
