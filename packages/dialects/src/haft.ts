import type { AnyDialectTool, Dialect, Projection, ToolResult } from "@haft/contract"
import { catalog } from "@haft/tools"
import { failureWords } from "./shared/failure-words.js"
import { textOf } from "./shared/parts-of-result.js"

/** Haft's own names, arguments and envelope. */
export const haft: Dialect = {
  name: "haft",
  tools: catalog.map(
    ({ manifest }): AnyDialectTool => ({
      name: manifest.id,
      tool: manifest.id,
      description: manifest.description,
      input: manifest.input,
      toArguments: (input: unknown) => input,
      toValue: ({ envelope }: ToolResult) => envelope,
      tier: manifest.tier,
    }),
  ),
  project,
}

function project(result: ToolResult): Projection {
  const failure = failureWords(result)
  return { value: result?.envelope ?? null, success: failure === undefined, text: failure?.text ?? wordsOf(result) }
}

function wordsOf(result: ToolResult): string {
  try {
    return textOf(result)
  } catch {
    return ""
  }
}
