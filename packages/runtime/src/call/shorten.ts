import { type Content, type TextLimit, text } from "@haft/contract"

/** A content whose first text was too long. */
export interface Shortened {
  readonly content: readonly Content[]
  /** How much is shown of how much. */
  readonly words: string
}

/** Head and tail of the first text, whole lines where that is possible; undefined when it is within its limit. */
export function shorten(content: readonly Content[], limit: TextLimit): Shortened | undefined {
  const [first, ...rest] = content
  if (first?.type !== "text" || first.text.length <= limit.maxCharacters) return undefined
  const whole = first.text
  const half = Math.floor((limit.maxCharacters - noteCharacters) / 2)
  const headEnd = lineEndBefore(whole, half)
  const tailStart = lineStartAfter(whole, whole.length - half)
  const mark = lastMark(whole, { from: headEnd, to: tailStart, marks: limit.marks })
  const note = `[... ${tailStart - headEnd} characters left out ...]`
  const lines = [whole.slice(0, headEnd), note, ...(mark === undefined ? [] : [mark]), whole.slice(tailStart)]
  const words = `${whole.length - (tailStart - headEnd)} of ${whole.length} characters are shown`
  return { content: [text(lines.join("\n")), ...rest], words }
}

// Room for the words that are where characters are left out.
const noteCharacters = 100

/** The end of the last line that ends before this place; the place itself in the middle of a long line. */
function lineEndBefore(whole: string, place: number): number {
  const end = whole.lastIndexOf("\n", place)
  return end > place / 2 ? end : betweenCharacters(whole, place)
}

function lineStartAfter(whole: string, place: number): number {
  const start = whole.indexOf("\n", place) + 1
  return start > 0 && start < place + (whole.length - place) / 2 ? start : betweenCharacters(whole, place)
}

/** Not between the two halves of a pair. */
function betweenCharacters(whole: string, place: number): number {
  const isLow = (whole.charCodeAt(place) & 0xfc00) === 0xdc00
  return isLow ? place + 1 : place
}

interface Middle {
  readonly from: number
  readonly to: number
  readonly marks: readonly string[]
}

function lastMark(whole: string, { from, to, marks }: Middle): string | undefined {
  if (marks.some((mark) => whole.startsWith(`${mark}\n`, to))) return undefined
  const places = marks.map((mark) => ({ mark, at: whole.lastIndexOf(`\n${mark}\n`, to - mark.length - 2) }))
  const last = places.reduce((one, other) => (other.at > one.at ? other : one), { mark: "", at: -1 })
  return last.at >= from ? last.mark : undefined
}
