import type { Content, ToolDefinition } from "@haft/contract"
import { codeWords, firstLookalike, hiddenIn } from "@haft/guard"

/**
 * What a person would read differently in the result of a command or in a page: characters that are not seen, and words
 * that only look Latin. Somebody else wrote these texts, perhaps to hide something in them.
 */
export function deceptionNotes({ manifest }: ToolDefinition, content: () => readonly Content[]): readonly string[] {
  if (manifest.kind !== "execute" && manifest.kind !== "fetch") return []
  const said = content().flatMap((part) => (part.type === "text" ? [part.text] : []))
  const odd = said.filter((text) => !ordinary.test(text)).join("\n")
  if (odd === "") return []
  const hidden = [...hiddenIn(odd)].filter(([code]) => code !== softHyphen)
  const lookalike = firstLookalike(odd)
  return [
    ...(hidden.length === 0 ? [] : [`the text holds characters that a person does not see: ${listed(hidden)}`]),
    ...(lookalike === undefined
      ? []
      : [`in "${lookalike.word}" the letter ${lookalike.letter} is ${codeWords(lookalike.code)} and only looks Latin`]),
  ]
}

// Most texts are plain and looked at no further.
const ordinary = /^[\t\n\x20-\x7e]*$/
// Pages are full of them, and they say only where a word may be cut.
const softHyphen = 0xad
const maxListed = 5

function listed(hidden: readonly (readonly [number, number])[]): string {
  const shown = hidden
    .slice(0, maxListed)
    .map(([code, count]) => `${codeWords(code)}${count === 1 ? "" : ` (${count})`}`)
  return hidden.length > maxListed ? `${shown.join(", ")} and ${hidden.length - maxListed} more` : shown.join(", ")
}
