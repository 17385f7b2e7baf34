import type { TextChange } from "../shared/change-hunks.js"
import { lineEndingsOf, nearestLineEnding, withLineEndings } from "../shared/text/line-ending.js"
import type { LineSource } from "../shared/text/line-source.js"
import type { Match } from "./find-matches.js"

/** Gives the line breaks of each new text the ending of the place that it goes to; `literal` keeps them as they are. */
export function fitToPlace(
  source: LineSource,
  matches: readonly Match[],
  options: { readonly literal: boolean },
): readonly TextChange[] {
  let previousEnd = 0
  return matches.map((match) => {
    const start = splitsLineBreak(source, match.start) && match.start > previousEnd ? match.start - 1 : match.start
    previousEnd = match.end
    if (options.literal || !match.text.includes("\n")) return { start, end: match.end, text: match.text }
    const replaced = lineEndingsOf(source.slice(start, match.end))
    const nearest = replaced.length === 0 ? nearestLineEnding(source, start, match.end) : undefined
    const endings = nearest === undefined ? replaced : [nearest]
    return { start, end: match.end, text: withLineEndings(match.text, endings) }
  })
}

/** Whether the place lies between the two characters of a CRLF: then the whole line break belongs to the match. */
function splitsLineBreak(source: LineSource, place: number): boolean {
  return place > 0 && place < source.length && source.codeAt(place) === 10 && source.codeAt(place - 1) === 13
}
