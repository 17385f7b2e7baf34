import { ToolError } from "@haft/contract"

/**
 * The text that a regular expression looks for, where it looks for one. A pattern of a model never meets an engine
 * that goes back and tries again, so anything more is `invalid_args`.
 */
export function literalFilter(pattern: string | undefined): string | undefined {
  if (pattern === undefined) return undefined
  const core = pattern.replace(/^(\.\*)+/, "").replace(/(?<!\\)(\.\*)+$/, "")
  if (core === "") return undefined
  if (/^(?:[^\\^$.*+?()[\]{}|]|\\[^A-Za-z0-9])+$/.test(core)) return core.replace(/\\([^A-Za-z0-9])/g, "$1")
  throw new ToolError("invalid_args", `Cannot filter by "${pattern}": only a plain text can be looked for`, {
    hint: "Give the text itself, with a backslash before signs such as . and (",
  })
}
