import {
  type AskAnswer,
  type AskRequest,
  bestEffort,
  type Hunk,
  type Person,
  type Rule,
  type RuleProposal,
  ToolError,
} from "@haft/contract"
import { coversSample, formatRule, parseRule, visibleLine, whyNotSavable } from "@haft/guard"
import type { Say } from "@haft/language"
import { type AskAction, type AskChoice, askChoices, choiceLines } from "./ask-choices.js"
import { askQuestion } from "./ask-question.js"
import { askText, scriptChange, wholeQuestion } from "./ask-text.js"
import { hang, wrap } from "./columns.js"
import { editArguments } from "./edit-arguments.js"
import { escapeKey } from "./key-burst.js"
import { readKey, readLine, type Terminal } from "./keyboard.js"
import { ladderText } from "./ladder-text.js"
import type { Canvas } from "./preview-text.js"
import type { Style } from "./style.js"

/** The person at the terminal. Questions come one after the other, however many calls run. */
export function terminalPerson(terminal: Terminal, style: Style): Person {
  let offeredAcceptEdits = false
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const turn = last.then(work, work)
    last = bestEffort("the asker of that turn gets its failure", turn)
    return turn
  }
  return {
    ask: (request, signal) =>
      inTurn(() => {
        // Only the first edit prompt has the offer; later it would be in the way.
        const offers = request.offers.filter((offer) => offer !== "accept-edits" || !offeredAcceptEdits)
        offeredAcceptEdits ||= offers.includes("accept-edits")
        return new PermissionPrompt({ terminal, request: { ...request, offers }, signal, style }).answer()
      }),
    question: (questions, signal) =>
      inTurn(async () => {
        const answers: (readonly string[])[] = []
        for (const question of questions) answers.push(await askQuestion({ terminal, style }, question, signal))
        return answers
      }),
  }
}

interface Asking {
  readonly terminal: Terminal
  readonly request: AskRequest
  readonly signal: AbortSignal
  readonly style: Style
}

/** One question until it is answered. */
class PermissionPrompt {
  private readonly asking: Asking
  private rule: Rule | undefined
  private change: readonly Hunk[] = []

  constructor(asking: Asking) {
    this.asking = asking
    this.rule = asking.request.proposal?.rule
  }

  async answer(): Promise<AskAnswer> {
    this.change = await scriptChange(this.asking.request)
    this.drawQuestion()
    for (;;) {
      const choice = await this.choose()
      this.print(this.asking.style.dim(choice ? `> ${choice.key}  ${choice.words}` : `> Esc  ${this.say`reject`}`))
      const answer = choice ? await this.act(choice.action) : { answer: "reject" as const }
      if (answer) return answer
      this.drawChoices()
    }
  }

  /** The choice of one key; undefined for Esc. */
  private async choose(): Promise<AskChoice | undefined> {
    const { terminal, signal } = this.asking
    const stopWatching = watchWidth(terminal, () => this.drawQuestion())
    let isHinted = false
    try {
      for (;;) {
        const key = await readKey(terminal, signal)
        if (key === escapeKey) return undefined
        const choices = this.choices()
        const choice = choices.find((each) => each.key === key)
        if (choice) return choice
        if (!isHinted)
          this.printWrapped(
            this.say`Press ${choices.map((each) => each.key).join(" ")} or Esc; Enter and pasted text choose nothing`,
          )
        isHinted = true
      }
    } finally {
      stopWatching()
    }
  }

  /** The answer to a choice; undefined when the question stays open. */
  private async act(action: AskAction): Promise<AskAnswer | undefined> {
    const { terminal, request, signal, style } = this.asking
    const { rule } = this
    switch (action) {
      case "session":
      case "project":
        return { answer: action, ...(rule ? { rule } : {}) }
      case "reject-with-reason": {
        const reason = (await readLine(terminal, this.say`Why: `, signal))?.trim()
        return reason ? { answer: "reject", reason } : undefined
      }
      case "edit": {
        const edited = await editArguments(this.asking, request.arguments, signal)
        return edited === undefined ? undefined : { answer: "edit", arguments: edited }
      }
      case "change-rule":
        this.rule = await this.editedRule(rule!)
        return undefined
      case "details":
        this.print(wholeQuestion(request, this.canvas))
        return undefined
      case "why":
        this.print(
          ladderText(request, style)
            .split("\n")
            .flatMap((line) => hang(line, this.canvas.width))
            .join("\n"),
        )
        return undefined
      default:
        return { answer: action }
    }
  }

  private async editedRule(rule: Rule): Promise<Rule> {
    const { terminal, request, signal } = this.asking
    const before = wholeLine(formatRule(rule))
    const text = (await readLine(terminal, this.say`Rule: `, signal, before))?.trim()
    if (!text || text === before) return rule
    try {
      const edited = parseRule(text, "allow")
      const why = whyNotSavable(edited, request.proposal!)
      if (why === undefined) return edited
      this.printWrapped(this.say`Cannot save ${wholeLine(formatRule(edited))}: ${visibleLine(this.say(why))}`)
    } catch (error) {
      if (!ToolError.is(error)) throw error
      this.printWrapped(visibleLine(this.say(error.message)))
    }
    return rule
  }

  private choices(): readonly AskChoice[] {
    return askChoices(this.asking.request.offers, this.rule, this.asking.style)
  }

  private drawQuestion(): void {
    this.print(`\n${askText(this.asking.request, this.canvas, this.change)}`)
    this.drawChoices()
  }

  private drawChoices(): void {
    const { proposal } = this.asking.request
    const covers = this.rule && proposal ? samples(proposal, this.rule, this.say) : undefined
    this.print(`\n${choiceLines(this.choices(), { ...this.canvas, covers }).join("\n")}`)
  }

  private get canvas(): Canvas {
    const { terminal, style } = this.asking
    return { style, width: Math.max(20, terminal.stderr.columns || 80) }
  }

  private printWrapped(text: string): void {
    this.print(wrap(text, this.canvas.width).join("\n"))
  }

  private get say(): Say {
    return this.asking.style.say
  }

  private print(text: string): void {
    this.asking.terminal.stderr.write(`${text}\n`)
  }
}

// A person who drags a window changes its width many times.
const settledMs = 200

/** Calls back when the terminal has another width and keeps it; gives what ends that. */
function watchWidth({ stderr }: Terminal, onChange: () => void): () => void {
  let { columns } = stderr
  let timer: NodeJS.Timeout | undefined
  const onResize = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (stderr.columns === columns) return
      columns = stderr.columns
      onChange()
    }, settledMs)
  }
  stderr.on("resize", onResize)
  return () => {
    clearTimeout(timer)
    stderr.off("resize", onResize)
  }
}

/** One sample that the rule covers and one on the other side of the proposal, which an edited rule may cover too. */
function samples({ rule: proposed, matches, differs, also }: RuleProposal, rule: Rule, say: Say): string {
  const isWider = rule !== proposed && coversSample(rule, differs)
  const covered = isWider
    ? say`${wholeLine(matches)} and also ${wholeLine(differs)}`
    : say`${wholeLine(matches)}, not ${wholeLine(differs)}`
  return also === undefined ? covered : `${covered}; ${say(also)}`
}

/** What is kept for other calls is never shown in part. */
function wholeLine(text: string): string {
  return visibleLine(text, Number.POSITIVE_INFINITY)
}
