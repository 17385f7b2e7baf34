import type { Say } from "./say.js"

/** A reason as a person reads it. The commands and paths in it stay as they are, also where they look like texts of ours. */
export function reasonWords(
  reason: string,
  { findings }: { readonly findings: readonly { readonly subject: string }[] },
  say: Say,
): string {
  return sayAround(
    reason,
    findings.map(({ subject }) => subject),
    say,
  )
}

/** A finished text as a person reads it. Where it quotes one of these values, the value stays as it is. */
export function sayAround(text: string, values: readonly string[], say: Say): string {
  const found = values.filter((value) => text.includes(`"${value}"`))
  const kept = [...new Set(found)].sort((one, other) => other.length - one.length).slice(0, maxMarks)
  if (kept.length === 0) return say(text)
  if (marks.test(text)) return text
  let marked = text
  for (const [index, value] of kept.entries())
    marked = marked.replaceAll(`"${value}"`, `"${String.fromCharCode(firstMark + index)}"`)
  return say(marked).replace(new RegExp(marks, "g"), (mark) => kept[mark.charCodeAt(0) - firstMark]!)
}

// Characters for private use stand for the values meanwhile: no text of ours has them.
const firstMark = 0xe000
const maxMarks = 1000
const marks = /[\ue000-\uf8ff]/
