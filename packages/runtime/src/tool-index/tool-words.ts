import type { ToolDefinition } from "@haft/contract"

/** The searchable text of a tool with what a word in it counts. */
export interface ToolText {
  readonly text: string
  readonly weight: number
}

/** Name, title, description and parameters of a tool; a word of the name tells most about it. */
export function textsOf({ manifest }: ToolDefinition): readonly ToolText[] {
  return [
    { text: manifest.id, weight: 4 },
    { text: manifest.title, weight: 3 },
    { text: manifest.description, weight: 1 },
    { text: parameterText(manifest.input), weight: 0.5 },
  ]
}

/** The words of a text: camelCase and snake_case taken apart, plurals made singular, Han characters one by one. */
export function wordsOf(text: string): readonly string[] {
  const apart = text.replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, "$1 ").toLowerCase()
  return (apart.match(/\p{Script=Han}|[^\P{L}\p{Script=Han}]+|\p{N}+/gu) ?? []).map(singular)
}

/** The words of a query that tell something; all of them where none does. */
export function tellingWords(query: string): readonly string[] {
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

// Schemas of foreign tools may be of any depth; what lies this deep says nothing about the tool.
const maxDepth = 8
