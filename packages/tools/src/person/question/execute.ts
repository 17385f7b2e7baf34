import { type Execute, nobodyAnswers, type Question, ToolError } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Waits for the answers; only a whole set of them, one list a question, ends the wait. */
export const execute: Execute<typeof manifest> = async ({ questions }, { conversation }) => {
  if (!conversation.hasPerson) throw new ToolError("unavailable", nobodyAnswers)
  const answers = await conversation.question(questions as readonly Question[])
  checkAnswers(answers, questions)
  return { answers: answers.map((each) => [...each]) }
}

/** Answers that do not fit the questions would be read as answers to others. */
function checkAnswers(
  answers: readonly (readonly string[])[],
  questions: readonly { readonly multi_select?: boolean | undefined }[],
): void {
  if (answers.length !== questions.length) {
    throw mismatch(`there are ${answers.length} answers to ${questions.length} questions`)
  }
  const several = questions.findIndex((each, index) => each.multi_select !== true && answers[index]!.length > 1)
  if (several !== -1) throw mismatch(`question ${several + 1} takes one answer and got ${answers[several]!.length}`)
}

function mismatch(reason: string): ToolError {
  return new ToolError("backend", `Cannot use the answers: ${reason}`, { hint: "Ask again" })
}
