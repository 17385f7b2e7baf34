/** The words that braces give, as bash expands them; undefined when there are too many or the text is not plain. */
export function expandBraces(text: string): readonly string[] | undefined {
  if (!plain.test(text)) return undefined
  const words = expand(text, 0)
  return words && words.length <= maxWords ? words : undefined
}

// Quotes, escapes and expansions inside braces have rules of their own.
const plain = /^[\w@%+=:,./{}*?[\]-]+$/
const maxWords = 64
const maxDepth = 4

function expand(text: string, depth: number): readonly string[] | undefined {
  const found = firstBraces(text)
  if (found === "unclear") return undefined
  if (!found) return [text]
  if (depth >= maxDepth) return undefined
  const { start, end, choices } = found
  const tails = expand(text.slice(end), depth + 1)
  if (!tails) return undefined
  const words: string[] = []
  for (const choice of choices) {
    const inner = expand(choice, depth + 1)
    if (!inner) return undefined
    for (const middle of inner) for (const tail of tails) words.push(`${text.slice(0, start)}${middle}${tail}`)
    if (words.length > maxWords) return undefined
  }
  return words
}

interface Braces {
  readonly start: number
  readonly end: number
  readonly choices: readonly string[]
}

/** The first pair that expands: with a comma of its own, or a sequence such as `{1..3}`. */
function firstBraces(text: string): Braces | "unclear" | undefined {
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
    const commas: number[] = []
    let depth = 0
    for (let at = start; at < text.length; at++) {
      if (text[at] === "{") depth++
      else if (text[at] === "}" && --depth === 0) {
        const choices = choicesOf(text.slice(start + 1, at), commas, start + 1)
        if (choices === "unclear") return choices
        if (choices) return { start, end: at + 1, choices }
        break
      } else if (text[at] === "," && depth === 1) commas.push(at)
    }
  }
  return undefined
}

type Choices = readonly string[] | "unclear" | undefined

function choicesOf(inside: string, commas: readonly number[], offset: number): Choices {
  if (commas.length === 0) return sequence(inside)
  const edges = [-1, ...commas.map((comma) => comma - offset), inside.length]
  return edges.slice(1).map((edge, index) => inside.slice(edges[index]! + 1, edge))
}

/** Letters, steps, widths and long sequences are not followed, and only what has no two dots in it is surely none. */
function sequence(inside: string): Choices {
  if (!inside.includes("..")) return undefined
  const found = /^(-?\d{1,3})\.\.(-?\d{1,3})$/.exec(inside)
  if (!found) return "unclear"
  const [from, to] = [Number(found[1]), Number(found[2])]
  // Leading zeros set a width.
  if (/^-?0\d/.test(found[1]!) || /^-?0\d/.test(found[2]!) || Math.abs(to - from) >= maxWords) return "unclear"
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => String(from + (to < from ? -index : index)))
}
