import type { ToolMessages } from "@haft/contract"

/** The words of `sort_numbers` for people. */
export const messages: ToolMessages = {
  en: { title: "Sort numbers", loading: "Sorting numbers", done: "Sorted numbers" },
  "zh-CN": { title: "数字排序", loading: "正在排序", done: "已排序" },
}
