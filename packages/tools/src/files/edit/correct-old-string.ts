import type { Text } from "../shared/text/open-text.js"
import type { Region } from "../shared/similar/nearest-region.js"

/** What to send instead: it stands in the file exactly once. */
export interface Correction {
  readonly oldString: string
  /** Present when lines had to be added to make the text unique: the new text with the same lines around it. */
  readonly newString?: string
}

/** Longest text that is worth sending back. */
const maxCorrectedUnits = 32_768

/** The text of a region made unique by the lines around it; undefined when it cannot be sent. */
export function correctOldString(text: Text, region: Region, newString: string): Correction | undefined {
  const { content } = text
  let { start, end } = region
  while (end - start <= maxCorrectedUnits) {
    const oldString = content.slice(start, end)
    if (oldString !== "" && isUnique(content, oldString)) {
      if (text.hasUndecodable(start, end) || oldString === newString) return undefined
      const added = start < region.start || end > region.end
      if (!added) return { oldString }
      const around = content.slice(start, region.start) + newString + content.slice(region.end, end)
      return around === oldString ? undefined : { oldString, newString: around }
    }
    if (start === 0 && end === content.length) return undefined
    // Doubles, so that a file of equal lines is left after a few rounds.
    const lines = Math.max(1, Math.ceil((end - start) / 80))
    start = backByLines(content, start, lines)
    end = onByLines(content, end, lines)
  }
  return undefined
}

function isUnique(content: string, piece: string): boolean {
  return content.indexOf(piece) === content.lastIndexOf(piece)
}

function backByLines(content: string, place: number, lines: number): number {
  let at = place
  for (let count = 0; count < lines && at > 0; count += 1) at = content.lastIndexOf("\n", at - 2) + 1
  return Math.max(0, at)
}

function onByLines(content: string, place: number, lines: number): number {
  let at = place
  for (let count = 0; count < lines && at < content.length; count += 1) {
    const feed = content.indexOf("\n", at)
    at = feed === -1 ? content.length : feed + 1
  }
  return at
}
