import type { AskAnswer, AskRequest, Rule } from "@haft/contract"
import { formatRule } from "@haft/guard"
import { flow, wrap } from "./columns.js"
import type { Style } from "./style.js"
import { visibleLine } from "./visible.js"

/** What a key does: it answers, or it shows or changes something and asks again. */
export type AskAction = AskAnswer["answer"] | "reject-with-reason" | "change-rule" | "details" | "why"

/** One thing that a person can choose. A letter never moves; what is not offered is left out. */
export interface AskChoice {
  readonly key: string
  readonly action: AskAction
  readonly words: string
}

/** What can be answered. Nothing is chosen in advance, and what lasts comes after what does not. */
export function askChoices(
  request: AskRequest,
  { offerAcceptEdits, rule }: { readonly offerAcceptEdits: boolean; readonly rule: Rule | undefined },
): readonly AskChoice[] {
  // What is kept for other calls is never shown in part.
  const ruleText = rule ? visibleLine(formatRule(rule), Number.POSITIVE_INFINITY) : ""
  return [
    { key: "y", action: "once", words: "allow once" },
    ...choices(offerAcceptEdits, { key: "a", action: "accept-edits", words: "accept edits in this session" }),
    ...choices(rule !== undefined, { key: "s", action: "session", words: `allow in this session: ${ruleText}` }),
    ...choices(rule !== undefined, {
      key: "p",
      action: "project",
      words: `always allow in this project: ${ruleText} (kept in your own configuration)`,
    }),
    ...choices(rule !== undefined, { key: "c", action: "change-rule", words: "change the rule" }),
    { key: "n", action: "reject", words: "reject" },
    { key: "r", action: "reject-with-reason", words: "reject and say why" },
    ...choices(Object.keys(request.arguments).length > 0, { key: "e", action: "edit", words: "edit the arguments" }),
    { key: "d", action: "details", words: "details" },
    { key: "?", action: "why", words: "explain" },
  ]
}

function choices(offered: boolean, choice: AskChoice): readonly AskChoice[] {
  return offered ? [choice] : []
}

// Below this line the choices allow nothing, and share lines.
const firstRefusal = "n"

/** The choices as lines of at most this width; what allows has a line of its own, and `covers` follows the rule. */
export function choiceLines(
  offered: readonly AskChoice[],
  { style, width, covers }: { readonly style: Style; readonly width: number; readonly covers: string | undefined },
): readonly string[] {
  const split = offered.findIndex(({ key }) => key === firstRefusal)
  const allowing = offered.slice(0, split).flatMap(({ key, action, words }) => {
    const shown = action === "change-rule" && covers !== undefined ? `${words}, which covers ${covers}` : words
    return wrap(shown, width - 5).map((line, index) => `  ${index === 0 ? style.bold(key) : " "}  ${line}`)
  })
  const refusing = [...offered.slice(split), { key: "Esc", words: "reject" }]
  const cells = refusing.map(({ key, words }) => `${style.bold(key)}  ${words}`)
  return [...allowing, ...flow(cells, width - 2).map((line) => `  ${line}`)]
}
