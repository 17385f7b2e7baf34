import { type AskAnswer, type AskRequest, type Person, type Rule, ToolError } from "@haft/contract"
import { coversSample, formatRule, parseRule, whyNotSavable } from "@haft/guard"
import { askChoices } from "./ask-choices.js"
import { askText, wholeQuestion } from "./ask-text.js"
import { askQuestion } from "./ask-question.js"
import { editArguments } from "./edit-arguments.js"
import { escapeKey, readKey, readLine, type Terminal } from "./keyboard.js"
import { ladderText } from "./ladder-text.js"
import type { Style } from "./style.js"
import { visibleLine } from "./visible.js"

/** The person at the terminal. Questions come one after the other, however many calls run. */
export function terminalPerson(
  terminal: Terminal,
  { isEdit, style }: { readonly isEdit: (tool: string) => boolean; readonly style: Style },
): Person {
  let offeredAcceptEdits = false
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const turn = last.then(work, work)
    last = turn.catch(() => undefined)
    return turn
  }
  return {
    ask: (request, signal) =>
      inTurn(() => {
        // The offer stands in the first edit prompt only; later it would be in the way.
        const offerAcceptEdits = isEdit(request.tool) && !offeredAcceptEdits
        offeredAcceptEdits ||= offerAcceptEdits
        return askPerson({ terminal, request, signal, style, offerAcceptEdits })
      }),
    question: (questions, signal) =>
      inTurn(async () => {
        const answers: (readonly string[])[] = []
        for (const question of questions) answers.push(await askQuestion(terminal, question, signal))
        return answers
      }),
  }
}

interface Asking {
  readonly terminal: Terminal
  readonly request: AskRequest
  readonly signal: AbortSignal
  readonly style: Style
  readonly offerAcceptEdits: boolean
}

async function askPerson(asking: Asking): Promise<AskAnswer> {
  const { terminal, request, signal, style, offerAcceptEdits } = asking
  const say = (text: string) => terminal.stderr.write(`${text}\n`)
  let rule = request.proposal?.rule
  say(`\n${askText(request, style)}`)
  for (;;) {
    const choices = askChoices(request, { offerAcceptEdits, rule, ruleText: rule ? wholeLine(formatRule(rule)) : "" })
    for (const [index, { words }] of choices.entries()) say(`  ${style.bold(String(index + 1))} ${words}`)
    if (rule) say(style.dim(`    the rule covers ${samples(request, rule)}`))
    say(style.dim(`  ${rule ? "e edits the rule   " : ""}d details   Esc rejects`))
    const key = await readKey(terminal, signal)
    if (key === escapeKey) return { answer: "reject" }
    if (key === "e" && rule) rule = await editRule(asking, rule)
    else if (key === "d" || key === "?") say(`${wholeQuestion(request)}\n${ladderText(request, style)}`)
    else {
      const choice = choices[Number(key) - 1]
      const answer = choice && (await answerFor(choice.answer, asking, rule))
      if (answer) return answer
      if (!choice) say(`Press a number from 1 to ${choices.length}`)
    }
  }
}

/** The answer to a choice; undefined when the person went back. */
async function answerFor(
  chosen: AskAnswer["answer"] | "reject-with-reason",
  { terminal, request, signal }: Asking,
  rule: Rule | undefined,
): Promise<AskAnswer | undefined> {
  switch (chosen) {
    case "session":
    case "project":
      return { answer: chosen, ...(rule ? { rule } : {}) }
    case "reject-with-reason": {
      const reason = await readLine(terminal, "Why: ", signal)
      return { answer: "reject", ...(reason ? { reason } : {}) }
    }
    case "edit": {
      const edited = await editArguments(terminal, request.arguments, signal)
      return edited === undefined ? undefined : { answer: "edit", arguments: edited }
    }
    default:
      return { answer: chosen }
  }
}

async function editRule({ terminal, request, signal }: Asking, rule: Rule): Promise<Rule> {
  const text = await readLine(terminal, "Rule: ", signal, formatRule(rule))
  if (!text) return rule
  try {
    const edited = parseRule(text, "allow")
    const why = whyNotSavable(edited, request.proposal!)
    if (why === undefined) return edited
    terminal.stderr.write(`Cannot save ${wholeLine(formatRule(edited))}: ${visibleLine(why)}\n`)
  } catch (error) {
    if (!ToolError.is(error)) throw error
    terminal.stderr.write(`${visibleLine(error.message)}\n`)
  }
  return rule
}

/** One sample that the rule covers and one on the other side of the proposal, which an edited rule may cover too. */
function samples({ proposal }: AskRequest, rule: Rule): string {
  const { matches, differs } = proposal!
  const isWider = rule !== proposal!.rule && coversSample(rule, differs)
  return `${wholeLine(matches)}, ${isWider ? "and also" : "not"} ${wholeLine(differs)}`
}

/** What is kept for other calls is never shown in part. */
function wholeLine(text: string): string {
  return visibleLine(text, Number.POSITIVE_INFINITY)
}
