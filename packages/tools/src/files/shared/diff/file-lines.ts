import type { Text } from "../text/open-text.js"

/** A line of the file as diffs count lines: up to a line feed. */
export interface FileLine {
  /** Without the line feed; a carriage return before it belongs to the text. */
  readonly text: string
  readonly hasLineFeed: boolean
  /** Where it begins in the content. */
  readonly start: number
  /** Where the next line begins. */
  readonly end: number
  /** True when some bytes of the line are no characters and are shown as U+FFFD. */
  readonly lossy: boolean
}

/** The lines of a text; an empty text has none. */
export function fileLines(text: Text): readonly FileLine[] {
  const { content } = text
  const lines: FileLine[] = []
  let start = 0
  while (start < content.length) {
    const feed = content.indexOf("\n", start)
    const stop = feed === -1 ? content.length : feed
    const end = feed === -1 ? content.length : feed + 1
    const line = content.slice(start, stop)
    const lossy = line.includes("\ufffd") && text.hasUndecodable(start, stop)
    lines.push({ text: line, hasLineFeed: feed !== -1, start, end, lossy })
    start = end
  }
  return lines
}
