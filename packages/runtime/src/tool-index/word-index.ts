import type { ToolDefinition } from "@haft/contract"
import { canonicalToken } from "./canonical-token.js"
import type { WordQuery } from "./parse-query.js"

/** Tools by their words. */
export interface WordIndex {
  search(query: WordQuery, max: number): readonly ToolDefinition[]
}

// The usual constants of BM25: how soon a repeated word stops to count, and how much length matters.
const saturation = 1.2
const lengthShare = 0.75
// A word that only begins with the asked one says less.
const beginningShare = 0.5
const shortestBeginning = 3
// Above every sum of words: a tool that is called exactly so comes first.
const nameBonus = 1000

interface Posting {
  readonly document: number
  /** Occurrences, each with the weight of its place. */
  readonly count: number
}

/** Reads every tool once; a search then touches only the words that it asks for. */
export function buildWordIndex(tools: readonly ToolDefinition[]): WordIndex {
  const postings = new Map<string, Posting[]>()
  const lengths: number[] = []
  const texts: string[] = []
  const tokens = tools.map(({ manifest }) => canonicalToken(manifest.id))
  tools.forEach((tool, document) => {
    const fields = textsOf(tool)
    const counts = countWords(fields)
    for (const [word, count] of counts) {
      const known = postings.get(word)
      if (known) known.push({ document, count })
      else postings.set(word, [{ document, count }])
    }
    lengths.push([...counts.values()].reduce((sum, count) => sum + count, 0))
    texts.push(fields.map(({ text }) => text.toLowerCase()).join("\n"))
  })
  const vocabulary = [...postings.keys()].sort()
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)

  const add = (scores: Float64Array, word: string, share: number) => {
    const list = postings.get(word) ?? []
    const rarity = Math.log(1 + (tools.length - list.length + 0.5) / (list.length + 0.5))
    for (const { document, count } of list) {
      const norm = 1 - lengthShare + (lengthShare * lengths[document]!) / meanLength
      scores[document]! += (share * rarity * count * (saturation + 1)) / (count + saturation * norm)
    }
  }

  return {
    search({ text, mandatory }, max) {
      const scores = new Float64Array(tools.length)
      for (const word of tellingWords(text)) {
        add(scores, word, 1)
        for (const longer of beginningWith(word, vocabulary)) add(scores, longer, beginningShare)
      }
      const token = canonicalToken(text)
      const found: number[] = []
      scores.forEach((score, document) => {
        if (tokens[document] === token) scores[document] = score + nameBonus
        const kept = scores[document]! > 0 || mandatory.length > 0
        if (kept && mandatory.every((term) => texts[document]!.includes(term))) found.push(document)
      })
      const order = (a: number, b: number) => scores[b]! - scores[a]! || (tokens[a]! < tokens[b]! ? -1 : 1)
      return found
        .sort(order)
        .slice(0, max)
        .map((document) => tools[document]!)
    },
  }
}

function countWords(fields: ReturnType<typeof textsOf>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { text, weight } of fields) {
    for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + weight)
  }
  return counts
}

/** Longer words with this beginning, from a sorted list. */
function beginningWith(word: string, vocabulary: readonly string[]): readonly string[] {
  if (word.length < shortestBeginning) return []
  let low = 0
  let high = vocabulary.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (vocabulary[middle]! <= word) low = middle + 1
    else high = middle
  }
  let end = low
  while (end < vocabulary.length && vocabulary[end]!.startsWith(word)) end += 1
  return vocabulary.slice(low, end)
}

/** The searchable text of a tool with what a word in it counts. */
interface ToolText {
  readonly text: string
  readonly weight: number
}

/** Name, title, description and parameters of a tool; a word of the name tells most about it. */
function textsOf({ manifest }: ToolDefinition): readonly ToolText[] {
  return [
    { text: manifest.id, weight: 4 },
    { text: manifest.title, weight: 3 },
    { text: manifest.description, weight: 1 },
    { text: parameterText(manifest.input), weight: 0.5 },
  ]
}

/** The words of a text: camelCase and snake_case taken apart, plurals made singular, Han characters one by one. */
function wordsOf(text: string): readonly string[] {
  const apart = text.replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, "$1 ").toLowerCase()
  return (apart.match(/\p{Script=Han}|[^\P{L}\p{Script=Han}]+|\p{N}+/gu) ?? []).map(singular)
}

/** The words of a query that tell something; all of them where none does. */
function tellingWords(query: string): readonly string[] {
  const words = [...new Set(wordsOf(query))]
  const telling = words.filter((word) => !idleWords.has(word))
  return telling.length > 0 ? telling : words
}

// In nearly every description, and they would offer tools that nobody asked for. In the form that `singular` gives.
const idleWords = new Set(
  "a an and are as at be by can do for from have how i in into is it me my of on or our that the thi to tool use want we what when which who will with you your".split(
    " ",
  ),
)

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || word.endsWith("ss")) return word
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`
  return /(?:x|ch|sh|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}

/** The parts of a schema that are looked at here; JSON Schema would say the same and costs far more to make. */
interface Schema {
  readonly description?: string
  readonly def: {
    readonly shape?: Readonly<Record<string, Schema>>
    readonly element?: Schema
    readonly innerType?: Schema
    readonly options?: readonly Schema[]
  }
}

/** Names and descriptions of the parameters, those inside objects and lists too. */
function parameterText(schema: Schema, depth = 0): string {
  if (depth > maxDepth) return ""
  const { shape = {}, element, innerType, options = [] } = schema.def
  const pieces = Object.entries(shape).map(([name, member]) => `${name} ${parameterText(member, depth + 1)}`)
  for (const inner of [element, innerType, ...options]) if (inner) pieces.push(parameterText(inner, depth + 1))
  return [schema.description ?? "", ...pieces].join(" ")
}

// Schemas of foreign tools may be of any depth; what is this deep says nothing about the tool.
const maxDepth = 8
