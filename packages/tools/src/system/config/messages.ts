import type { ToolMessages } from "@haft/contract"

/** The words of `config` for people. */
export const messages: ToolMessages = {
  en: { title: "Settings", loading: "Looking at the settings", done: "Looked at the settings" },
  "zh-CN": { title: "设置", loading: "正在查看设置", done: "已查看设置" },
}
