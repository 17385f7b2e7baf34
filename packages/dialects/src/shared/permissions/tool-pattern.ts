/** A rule text such as `Bash(git push:*)` in its two parts. */
export interface ToolPattern {
  readonly tool: string
  /** Undefined when the rule names the tool alone. */
  readonly content: string | undefined
}

/** Splits `tool` or `tool(content)`; a parenthesis after a backslash means itself. */
export function parseToolPattern(text: string): ToolPattern {
  const trimmed = text.trim()
  const open = trimmed.search(/(?<!\\)\(/)
  if (open < 0 || !trimmed.endsWith(")")) return { tool: trimmed, content: undefined }
  const content = trimmed.slice(open + 1, -1).replace(/\\([()\\])/g, "$1")
  return { tool: trimmed.slice(0, open).trim(), content }
}
