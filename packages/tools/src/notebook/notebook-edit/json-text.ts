/** A stretch of a text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A member of an object: from the first quote of its key to the end of its value. */
export interface MemberSpan extends Span {
  readonly key: string
  readonly value: Span
}

/** The members of the object that begins at a place, in order. The text is known to be valid JSON. */
export function membersAt(text: string, start: number): readonly MemberSpan[] {
  const members: MemberSpan[] = []
  let at = afterBlanks(text, start + 1)
  while (text[at] !== "}") {
    const keyEnd = endOfString(text, at)
    const valueStart = afterBlanks(text, afterBlanks(text, keyEnd) + 1)
    const value = { start: valueStart, end: endOfValue(text, valueStart) }
    members.push({ key: JSON.parse(text.slice(at, keyEnd)) as string, start: at, end: value.end, value })
    at = afterComma(text, value.end)
  }
  return members
}

/** The items of the array that begins at a place, in order. */
export function itemsAt(text: string, start: number): readonly Span[] {
  const items: Span[] = []
  let at = afterBlanks(text, start + 1)
  while (text[at] !== "]") {
    const end = endOfValue(text, at)
    items.push({ start: at, end })
    at = afterComma(text, end)
  }
  return items
}

/** The member that counts when a key occurs twice: the last, as in every JSON reader of this world. */
export function memberOf(members: readonly MemberSpan[], key: string): MemberSpan | undefined {
  return members.findLast((member) => member.key === key)
}

/** The text with a span replaced. */
export function withSpan(text: string, { start, end }: Span, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** The first place that holds no blank. */
function afterBlanks(text: string, from: number): number {
  let at = from
  while (blanks.has(text.charCodeAt(at))) at += 1
  return at
}

const blanks = new Set([0x20, 0x09, 0x0a, 0x0d])

function afterComma(text: string, from: number): number {
  const at = afterBlanks(text, from)
  return text[at] === "," ? afterBlanks(text, at + 1) : at
}

/** Counts brackets instead of calling itself: a notebook may be nested deeper than the stack. */
function endOfValue(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return endOfString(text, start)
  if (first !== "{" && first !== "[") return endOfScalar(text, start)
  let depth = 0
  for (let at = start; ; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at) - 1
    else if (character === "{" || character === "[") depth += 1
    else if (character === "}" || character === "]") {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === "\\") slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
}

function endOfScalar(text: string, start: number): number {
  let at = start
  while (at < text.length && !scalarEnds.has(text[at]!)) at += 1
  return at
}

const scalarEnds = new Set([",", "}", "]", " ", "\t", "\n", "\r"])
