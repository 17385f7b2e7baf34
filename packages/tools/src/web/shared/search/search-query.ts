import { ToolError } from "@haft/contract"

/** The words to search for on one line; throws where there are none, or so many that no provider takes them. */
export function searchQuery(query: string): string {
  const words = query.replace(/[\s\p{Cc}]+/gu, " ").trim()
  if (words === "") throw new ToolError("invalid_args", 'Cannot search the web: "query" has no words; name some')
  if (words.length <= maxLength) return words
  throw new ToolError(
    "invalid_args",
    `Cannot search the web: "query" has ${words.length} characters of at most ${maxLength}; use fewer words`,
  )
}

const maxLength = 1000
