import { countLineFeeds } from "../shared/text/index.js"
import type { LinePageRequest } from "./line-page.js"
import type { Page } from "./page.js"
import type { TextSource } from "./text-source.js"

/** The page that most reads end in: the whole of a small text in UTF-8. Undefined when it is not wanted, or does not fit. */
export function wholePage({ whole, text }: TextSource, request: LinePageRequest): Page | undefined {
  if (whole === undefined || text === undefined || text === "") return undefined
  if (request.offset > 0 || whole.length > request.maxBytes) return undefined
  const endsOpen = whole[whole.length - 1] !== lineFeed
  const lineCount = countLineFeeds(whole, 0, whole.length) + (endsOpen ? 1 : 0)
  if (lineCount > request.limit) return undefined
  return { content: text, encoding: "utf-8", start_line: 1, line_count: lineCount, eof: true, total_lines: lineCount }
}

const lineFeed = 0x0a
