/**
 * The alternatives of a pattern with brace sets: "a/{b,c{d,e}}" gives "a/b", "a/cd", "a/ce". A brace without its partner is an
 * ordinary character; a backslash takes the meaning from the next character. Undefined when there are more than `maxCount`.
 */
export function expandBraces(pattern: string, maxCount: number): readonly string[] | undefined {
  const opened = firstSet(pattern)
  if (opened === undefined) return [pattern]
  const head = pattern.slice(0, opened.start)
  const tails = expandBraces(pattern.slice(opened.end + 1), maxCount)
  if (tails === undefined) return undefined
  const expanded: string[] = []
  for (const choice of opened.choices) {
    const middles = expandBraces(choice, maxCount)
    if (middles === undefined || expanded.length + middles.length * tails.length > maxCount) return undefined
    for (const middle of middles) for (const tail of tails) expanded.push(head + middle + tail)
  }
  return expanded
}

interface BraceSet {
  readonly start: number
  readonly end: number
  readonly choices: readonly string[]
}

function firstSet(pattern: string): BraceSet | undefined {
  const closing = partners(pattern)
  const start = [...closing.keys()].reduce((least, index) => Math.min(least, index), Number.POSITIVE_INFINITY)
  const end = closing.get(start)
  if (end === undefined) return undefined
  return { start, end, choices: splitChoices(pattern.slice(start + 1, end)) }
}

/** The index of the closing brace of each opening one that has a partner. */
function partners(pattern: string): Map<number, number> {
  const open: number[] = []
  const closing = new Map<number, number>()
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index]
    if (character === "\\") index += 1
    else if (character === "{") open.push(index)
    else if (character === "}" && open.length > 0) closing.set(open.pop()!, index)
  }
  return closing
}

function splitChoices(inner: string): string[] {
  const choices: string[] = []
  let depth = 0
  let from = 0
  for (let index = 0; index < inner.length; index += 1) {
    const character = inner[index]
    if (character === "\\") index += 1
    else if (character === "{") depth += 1
    else if (character === "}") depth -= 1
    else if (character === "," && depth === 0) {
      choices.push(inner.slice(from, index))
      from = index + 1
    }
  }
  choices.push(inner.slice(from))
  return choices
}
