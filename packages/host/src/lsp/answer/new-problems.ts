import type { Problem } from "../server/problem.js"
import { linesOf } from "./read-document.js"

/** The problems of one text. */
export interface ProblemsOfText {
  readonly text: string
  readonly problems: readonly Problem[]
}

/**
 * The errors and warnings that a change brought. A problem is an old one when the same was said before: about a line
 * of the same words if there is one, else about any line, because an edit moves and rewrites lines.
 */
export function newProblems(before: ProblemsOfText, after: ProblemsOfText): readonly Problem[] {
  const linesBefore = linesOf(before.text)
  const linesAfter = linesOf(after.text)
  const old = [...before.problems]
  const take = (isSame: (problem: Problem) => boolean): boolean => {
    const index = old.findIndex(isSame)
    if (index >= 0) old.splice(index, 1)
    return index >= 0
  }
  const words = (lines: readonly string[], { line }: Problem) => (lines[line] ?? "").trim()
  const grave = after.problems.filter(({ severity }) => severity === "error" || severity === "warning")
  const onOtherLines = grave.filter(
    (problem) => !take((known) => isAlike(known, problem) && words(linesBefore, known) === words(linesAfter, problem)),
  )
  return onOtherLines.filter((problem) => !take((known) => isAlike(known, problem)))
}

function isAlike(a: Problem, b: Problem): boolean {
  return a.message === b.message && a.origin === b.origin && a.severity === b.severity
}
