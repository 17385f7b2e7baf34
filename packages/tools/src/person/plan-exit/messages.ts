import type { ToolMessages } from "@haft/contract"

/** The words of `plan_exit` for people. */
export const messages: ToolMessages = {
  en: { title: "Plan", loading: "Waiting for the plan to be reviewed", done: "The plan was reviewed" },
  "zh-CN": { title: "计划", loading: "正在等待审阅计划", done: "计划已审阅" },
}
