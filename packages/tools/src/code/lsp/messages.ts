import type { ToolMessages } from "@haft/contract"

/** The words of `lsp` for people. */
export const messages: ToolMessages = {
  en: { title: "Ask language server", loading: "Asking the language server", done: "Asked the language server" },
  "zh-CN": { title: "询问语言服务器", loading: "正在询问语言服务器", done: "已询问语言服务器" },
}
