import type { AskAnswer, AskRequest, Rule } from "@haft/contract"
import { formatRule, visibleLine } from "@haft/guard"
import { flow, wrap } from "./columns.js"
import type { Style } from "./style.js"

/** What a key does: it answers, or it shows or changes something and asks again. */
export type AskAction = AskAnswer["answer"] | "reject-with-reason" | "change-rule" | "details" | "why"

/** One thing that a person can choose. A letter never moves; what is not offered is left out. */
export interface AskChoice {
  readonly key: string
  readonly action: AskAction
  readonly words: string
}

/** The choices of a question. Nothing is chosen in advance. */
export function askChoices(offers: AskRequest["offers"], rule: Rule | undefined, { say }: Style): readonly AskChoice[] {
  // What is kept for other calls is never shown in part.
  const ruleText = rule ? visibleLine(formatRule(rule), Number.POSITIVE_INFINITY) : ""
  const isOffered = ({ action }: AskChoice) => {
    if (action === "change-rule") return offers.includes("session") || offers.includes("project")
    return alwaysOffered.has(action) || offers.includes(action as AskAnswer["answer"])
  }
  const choices: readonly AskChoice[] = [
    { key: "y", action: "once", words: say`allow once` },
    { key: "a", action: "accept-edits", words: say`accept edits in this session` },
    { key: "s", action: "session", words: say`allow in this session: ${ruleText}` },
    {
      ...{ key: "p", action: "project" },
      words: say`always allow in this project: ${ruleText} (kept in your own configuration)`,
    },
    { key: "c", action: "change-rule", words: say`change the rule` },
    { key: "n", action: "reject", words: say`reject` },
    { key: "r", action: "reject-with-reason", words: say`reject and say why` },
    { key: "e", action: "edit", words: say`edit the arguments` },
    { key: "d", action: "details", words: say`details` },
    { key: "?", action: "why", words: say`explain` },
  ]
  return choices.filter(isOffered)
}

const alwaysOffered: ReadonlySet<AskAction> = new Set<AskAction>(["reject-with-reason", "details", "why"])

// Below this line the choices allow nothing, and share lines.
const firstRefusal = "n"

/** The choices as lines of at most this width; what allows has a line of its own, and `covers` follows the rule. */
export function choiceLines(
  offered: readonly AskChoice[],
  { style, width, covers }: { readonly style: Style; readonly width: number; readonly covers: string | undefined },
): readonly string[] {
  const split = offered.findIndex(({ key }) => key === firstRefusal)
  const allowing = offered.slice(0, split).flatMap(({ key, action, words }) => {
    const shown = action === "change-rule" && covers !== undefined ? style.say`${words}, which covers ${covers}` : words
    return wrap(shown, width - 5).map((line, index) => `  ${index === 0 ? style.bold(key) : " "}  ${line}`)
  })
  const refusing = [...offered.slice(split), { key: "Esc", words: style.say`reject` }]
  const cells = refusing.map(({ key, words }) => `${style.bold(key)}  ${words}`)
  return [...allowing, ...flow(cells, width - 2).map((line) => `  ${line}`)]
}
