import { defineTool, type Present, type ToolMessages } from "@haft/contract"
import { processText } from "../shared/output/command-text.js"
import { manifest } from "./manifest.js"

/** The words of `bash` for people. */
const messages: ToolMessages = {
  en: { title: "Run command", loading: "Running the command", done: "Ran the command" },
  "zh-CN": { title: "运行命令", loading: "正在运行命令", done: "已运行命令" },
}

/** What the command printed, then how it ended where that is worth a line. */
const present: Present<typeof manifest> = (output, { timeout }) => processText(output, timeout)

/** Runs one command line to its end. */
export const bash = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: () => import("./examples.js"),
})
