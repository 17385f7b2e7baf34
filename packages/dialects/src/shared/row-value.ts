import type { AnyDialectTool, ToolResult } from "@haft/contract"

/** The value of an output as its row words it; data that is not what its tool promises is shown as it is. */
export function rowValue(result: ToolResult, row: AnyDialectTool | undefined, input: unknown): unknown {
  const data = result.envelope.type === "output" ? result.envelope.data : undefined
  try {
    return row === undefined ? data : row.toValue(result, input)
  } catch {
    return data
  }
}
