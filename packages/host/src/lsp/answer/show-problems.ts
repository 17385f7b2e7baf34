import type { LanguageItem } from "@haft/contract"
import type { Problem } from "../server/problem.js"

/** Problems of one file as they are shown, in the order of lines. */
export function showProblems(problems: readonly Problem[], shownPath: string): readonly LanguageItem[] {
  const sorted = [...problems].sort((a, b) => a.line - b.line || a.character - b.character)
  return sorted.map(({ line, character, message, severity, origin }) => ({
    path: shownPath,
    line: line + 1,
    character: character + 1,
    text: message,
    severity,
    ...(origin !== "" && { kind: origin }),
  }))
}
