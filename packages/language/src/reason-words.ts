import type { Say } from "./say.js"

/** What was decided about, as far as it is needed here. */
interface Judged {
  readonly findings: readonly { readonly subject: string }[]
}

/** A reason as a person reads it. The commands and paths in it stay as they are, also where they look like texts of ours. */
export function reasonWords(reason: string, { findings }: Judged, say: Say): string {
  const found = findings.map(({ subject }) => subject).filter((subject) => reason.includes(`"${subject}"`))
  const subjects = [...new Set(found)].sort((one, other) => other.length - one.length).slice(0, maxMarks)
  if (subjects.length === 0) return say(reason)
  if (marks.test(reason)) return reason
  let text = reason
  for (const [index, subject] of subjects.entries())
    text = text.replaceAll(`"${subject}"`, `"${String.fromCharCode(firstMark + index)}"`)
  return say(text).replace(new RegExp(marks, "g"), (mark) => subjects[mark.charCodeAt(0) - firstMark]!)
}

// Characters for private use stand for the subjects meanwhile: no text of ours has them.
const firstMark = 0xe000
const maxMarks = 1000
const marks = /[\ue000-\uf8ff]/
