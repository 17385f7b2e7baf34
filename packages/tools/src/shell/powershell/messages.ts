import type { ToolMessages } from "@haft/contract"

/** The words of `powershell` for people. */
export const messages: ToolMessages = {
  en: {
    title: "Run PowerShell command",
    loading: "Running the PowerShell command",
    done: "Ran the PowerShell command",
  },
  "zh-CN": { title: "运行 PowerShell 命令", loading: "正在运行 PowerShell 命令", done: "已运行 PowerShell 命令" },
}
