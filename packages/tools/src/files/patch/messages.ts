import type { ToolMessages } from "@haft/contract"

/** The words of `patch` for people. */
export const messages: ToolMessages = {
  en: { title: "Patch file", loading: "Applying the patch", done: "Applied the patch" },
  "zh-CN": { title: "应用补丁", loading: "正在应用补丁", done: "已应用补丁" },
}
