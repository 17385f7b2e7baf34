import type { ToolMessages } from "@haft/contract"

/** The words of `apply_patch` for people. */
export const messages: ToolMessages = {
  en: { title: "Apply patch", loading: "Applying the patch", done: "Applied the patch" },
  "zh-CN": { title: "应用多文件补丁", loading: "正在应用多文件补丁", done: "已应用多文件补丁" },
}
