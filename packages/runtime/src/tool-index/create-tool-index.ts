import type { ToolDefinition, ToolIndex, ToolMatch } from "@haft/contract"
import { canonicalToken } from "./canonical-token.js"
import { parseQuery, type ToolQuery } from "./parse-query.js"
import { buildWordIndex, type WordIndex } from "./word-index.js"

/**
 * Finds tools by what they are for. The index is built at the first search and again when the list of tools is
 * another one; `onActivate` is called with what was found, so that it can be offered from the next turn on.
 */
export function createToolIndex(
  tools: () => readonly ToolDefinition[],
  onActivate: (ids: readonly string[]) => void,
  every: () => readonly ToolDefinition[] = tools,
): ToolIndex {
  let built: { readonly of: readonly ToolDefinition[]; readonly words: WordIndex } | undefined
  const wordsOf = (list: readonly ToolDefinition[]): WordIndex => {
    if (built?.of !== list) built = { of: list, words: buildWordIndex(list) }
    return built.words
  }
  return {
    get size() {
      return tools().length
    },
    search(query, { max, listed }) {
      const parsed = parseQuery(query)
      const found = find(listed ? every() : tools(), parsed, max, wordsOf)
      // A list of everything brings nothing up: all of it would be in the prompt from then on.
      if (found.length > 0 && parsed.kind !== "all") onActivate(found.map(({ manifest }) => manifest.id))
      return found.map(({ manifest: { id, description } }): ToolMatch => ({ id, description }))
    },
  }
}

function find(
  tools: readonly ToolDefinition[],
  parsed: ToolQuery,
  max: number,
  wordsOf: (tools: readonly ToolDefinition[]) => WordIndex,
): readonly ToolDefinition[] {
  switch (parsed.kind) {
    case "all":
      return [...tools].sort(byName)
    case "select":
      // A caller that names them means each of them, so their number is no matter of `max`.
      return parsed.names
        .flatMap((name) => named(tools, name))
        .filter((tool, index, all) => all.indexOf(tool) === index)
    case "words":
      return wordsOf(tools).search(parsed, max)
  }
}

/** Tools that go by this name: the whole id, or the last part of the id of a foreign tool. */
function named(tools: readonly ToolDefinition[], name: string): readonly ToolDefinition[] {
  const whole = tools.filter(({ manifest }) => canonicalToken(manifest.id) === name)
  if (whole.length > 0) return whole
  return tools.filter(({ manifest }) => canonicalToken(manifest.id.split(/:|__/).at(-1)!) === name)
}

function byName(a: ToolDefinition, b: ToolDefinition): number {
  return a.manifest.id < b.manifest.id ? -1 : 1
}
