import { defineDialectTool, type ToolResult } from "@haft/contract"
import * as z from "zod"
import { dataOf } from "../shared/parts-of-result.js"

/** `builtin:calculator`: the bare value. */
export const calculatorRow = defineDialectTool({
  name: "builtin:calculator",
  tool: "evalexpr",
  titles: { en: "Calculator", "zh-CN": "计算器" },
  description: "Evaluates a mathematical expression using evalexpr.",
  input: z.object({ expression: z.string().describe("Math expression to evaluate, e.g. '2 + 2 * 3'") }),
  toArguments: ({ expression }) => ({ expression }),
  toValue: (result) => dataOf<{ result: number | string | boolean }>(result).result,
})

/** `builtin:clipboard-read`: the one tool that refuses arguments, since it accepts none. */
export const clipboardReadRow = defineDialectTool({
  name: "builtin:clipboard-read",
  tool: "clipboard_read",
  titles: { en: "Clipboard Read", "zh-CN": "读取剪贴板" },
  description:
    "Reads the current text content of the OS clipboard; where there is none, a buffer of the session, and source says so.",
  input: z.strictObject({}),
  toArguments: () => ({}),
  toValue: (result) => ({ text: dataOf<{ text: string }>(result).text, ...sourceOf(result) }),
})

/** `builtin:clipboard-write`. */
export const clipboardWriteRow = defineDialectTool({
  name: "builtin:clipboard-write",
  tool: "clipboard_write",
  titles: { en: "Clipboard Write", "zh-CN": "写入剪贴板" },
  description: "Writes text to the OS clipboard; where there is none, to a buffer of the session, and source says so.",
  input: z.object({ text: z.string().describe("The text to write to the clipboard.") }),
  toArguments: ({ text }) => ({ text }),
  toValue: (result) => ({ ok: true, ...sourceOf(result) }),
})

/** Nothing for the clipboard of the OS; without one the reach of what was used instead, and why. */
function sourceOf(result: ToolResult): { readonly source?: string; readonly reason?: string } {
  const { source, reason } = dataOf<{ source: string; reason?: string }>(result)
  return source === "system" ? {} : { source, ...(reason !== undefined && { reason }) }
}

interface Hit {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly score: number
}

/** `builtin:search`. */
export const searchRow = defineDialectTool({
  name: "builtin:search",
  tool: "index_search",
  titles: { en: "Search Launcher Index", "zh-CN": "搜索启动器索引" },
  description: "Queries the launcher's index of applications, commands, files and tools, best first.",
  input: z.object({
    query: z.string().describe("Search query."),
    limit: z.int().min(0).optional().describe("Max results to return (default 10)."),
  }),
  toArguments: ({ query, limit = 10 }) => ({ query, limit }),
  toValue: (result) => ({
    results: dataOf<{ results: readonly Hit[] }>(result).results.map(({ id, name, type, score }) => {
      return { id, name, type, score }
    }),
  }),
})
