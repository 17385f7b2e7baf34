import { classEnd } from "./compile-segment.js"

/**
 * The alternatives of a pattern with brace sets: "a/{b,c{d,e}}" gives "a/b", "a/cd", "a/ce". In a class, and after a backslash,
 * a brace is an ordinary character. Undefined when there are more than `maxCount`.
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
  const { closing } = pairBraces(pattern)
  const start = [...closing.keys()].reduce((least, index) => Math.min(least, index), Number.POSITIVE_INFINITY)
  const end = closing.get(start)
  if (end === undefined) return undefined
  return { start, end, choices: splitOutside(pattern.slice(start + 1, end), ",") }
}

/** The index of the closing brace of each opening one, and of the first brace that has no partner. */
export function pairBraces(pattern: string): {
  readonly closing: Map<number, number>
  readonly lone: number | undefined
} {
  const open: number[] = []
  const closing = new Map<number, number>()
  let lone: number | undefined
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index]
    if (character === "{") open.push(index)
    else if (character === "}" && open.length > 0) closing.set(open.pop()!, index)
    else if (character === "}") lone ??= index
    else index = endOfOrdinary(pattern, index)
  }
  return { closing, lone: lone ?? open[0] }
}

/** The parts of a pattern between these characters, where they are outside of braces and classes. */
export function splitOutside(pattern: string, separators: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index]!
    if (character === "{") depth += 1
    else if (character === "}") depth -= 1
    else if (depth === 0 && separators.includes(character)) {
      parts.push(pattern.slice(from, index))
      from = index + 1
    } else index = endOfOrdinary(pattern, index)
  }
  return [...parts, pattern.slice(from)]
}

/** The last place of a character that a backslash makes ordinary, or of a class; the same place for anything else. */
function endOfOrdinary(pattern: string, index: number): number {
  if (pattern[index] === "\\") return index + 1
  if (pattern[index] !== "[") return index
  const end = classEnd(pattern, index)
  // A class is a part of one name.
  return end < 0 || pattern.slice(index, end).includes("/") ? index : end
}
