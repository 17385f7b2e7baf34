import type { AskAnswer, AskRequest, Rule } from "@haft/contract"

/** One thing that a person can choose. */
export interface AskChoice {
  readonly answer: AskAnswer["answer"] | "reject-with-reason"
  readonly words: string
}

/** What can be answered. Nothing is chosen in advance, and what lasts comes after what does not. */
export function askChoices(
  request: AskRequest,
  options: { readonly offerAcceptEdits: boolean; readonly rule: Rule | undefined; readonly ruleText: string },
): readonly AskChoice[] {
  const { rule, ruleText } = options
  return [
    { answer: "once", words: "Allow once" },
    ...choices(options.offerAcceptEdits, { answer: "accept-edits", words: "Accept edits in this session" }),
    ...choices(rule !== undefined, { answer: "session", words: `Allow in this session: ${ruleText}` }),
    ...choices(rule !== undefined, {
      answer: "project",
      words: `Always allow in this project: ${ruleText} (kept in your own configuration)`,
    }),
    { answer: "reject", words: "Reject" },
    { answer: "reject-with-reason", words: "Reject and say why" },
    ...choices(Object.keys(request.arguments).length > 0, { answer: "edit", words: "Edit the arguments" }),
  ]
}

function choices(offered: boolean, choice: AskChoice): readonly AskChoice[] {
  return offered ? [choice] : []
}
