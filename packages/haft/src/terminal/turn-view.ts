import type { SessionEvent, TurnOutcome } from "@haft/contract"
import { visible, visibleLine } from "@haft/guard"
import { callEnd, compactionWords, durationWords, subjectWords, todoLines } from "./call-words.js"
import type { Style } from "./style.js"

/** Where a turn is shown. Lines are harmless already; text of the model is not. */
export interface Screen {
  /** A piece of what the model says. */
  text(piece: string): void
  /** The text is over: what comes next begins on a line of its own. */
  endText(): void
  line(line: string): void
  /** What runs now; replaces what was said before. */
  running(calls: readonly RunningCall[]): void
}

/** A call that has begun and not ended. */
export interface RunningCall {
  readonly id: string
  readonly words: string
  /** Whether it waits for a person. */
  readonly waits: boolean
  /** When it began to wait or to run. */
  readonly since: number
}

interface OpenCall extends RunningCall {
  /** How long a person thought about whether it may run. */
  readonly askedMs: number
  readonly isAsked: boolean
}

// It is shown as a call is, and has no id.
const compaction = "compaction"

/** How events are shown. */
export interface TurnViewOptions {
  readonly style: Style
}

const ofOwnTurn: ReadonlySet<SessionEvent["type"]> = new Set([
  ...(["text-delta", "reply-restart", "reply", "compaction-start", "compaction-end", "turn-end"] as const),
])

/** Turns the events of an agent into text and lines for a screen. */
export class TurnView {
  private readonly screen: Screen
  private readonly options: TurnViewOptions
  private readonly calls = new Map<string, OpenCall>()
  private readonly children = new Set<string>()
  private streamed = { step: "", text: "" }

  constructor(screen: Screen, options: TurnViewOptions) {
    this.screen = screen
    this.options = options
  }

  show(event: SessionEvent): void {
    const { screen } = this
    if (event.type === "child-start") this.children.add(event.child)
    // What a subagent says is for the agent that started it; of its calls a person sees each.
    if (this.children.has(event.session) && ofOwnTurn.has(event.type)) return
    switch (event.type) {
      case "text-delta":
        this.stream(`${event.turn} ${event.step}`, event.delta)
        break
      case "reply-restart":
        this.startAgain()
        break
      case "reply":
        this.settle(`${event.turn} ${event.step}`, event.text)
        break
      case "compaction-start":
        this.begin(compaction, this.options.style.say`compaction of the conversation`, undefined, event.at)
        break
      case "compaction-end":
        this.calls.delete(compaction)
        this.tell(this.options.style.dim(`  ${compactionWords(event, this.options.style.say)}`))
        break
      case "tool-call":
        this.begin(event.call, event.tool, event.arguments, event.at)
        break
      case "ask":
      case "question":
        this.change(event.call, event.at, { waits: true, isAsked: event.type === "ask" })
        break
      case "answer":
      case "tool-start":
        this.change(event.call, event.at, { waits: false, isAsked: false })
        break
      case "tool-end":
        this.end(event)
        break
      case "todo":
        for (const line of todoLines(event.todos)) screen.line(line)
        break
      case "message":
        for (const line of visible(event.message).split("\n")) screen.line(line)
        for (const { path, size } of event.attachments)
          screen.line(`  ${visibleLine(path)} (${this.options.style.say`${size} bytes`})`)
        break
      case "child-start":
        screen.line(this.options.style.dim(`  ${this.options.style.say`${visibleLine(event.agent)} begins`}`))
        break
      case "child-end":
        screen.line(this.options.style.dim(`  ${this.options.style.say`a subagent ended: ${event.outcome.reason}`}`))
        break
      case "error":
        screen.line(
          `${this.options.style.red(this.options.style.say`error:`)} ${visible(this.options.style.say(event.message))}`,
        )
        break
      case "turn-end":
        this.calls.clear()
        screen.endText()
        screen.running([])
    }
  }

  private stream(step: string, delta: string): void {
    if (this.streamed.step !== step) this.streamed = { step, text: "" }
    this.streamed.text += delta
    this.screen.text(delta)
  }

  /** A reply that was begun again has another text than its pieces: then all of it is shown once more. */
  private settle(step: string, text: string): void {
    const before = this.streamed.step === step ? this.streamed.text : ""
    if (!text.startsWith(before)) this.startAgain()
    this.screen.text(text.startsWith(before) ? text.slice(before.length) : text)
    this.streamed = { step: "", text: "" }
    this.screen.endText()
  }

  /** What was shown of a reply is void. */
  private startAgain(): void {
    this.streamed = { step: "", text: "" }
    this.screen.endText()
    this.screen.line(this.options.style.dim(`  ${this.options.style.say`the reply was begun again`}`))
  }

  private begin(id: string, tool: string, values: unknown, since: number): void {
    const name = this.options.style.bold(visibleLine(tool, 64))
    const words = `${name}  ${subjectWords(values)}`.trimEnd()
    this.calls.set(id, { id, since, words, waits: false, isAsked: false, askedMs: 0 })
    this.screen.endText()
    this.screen.running([...this.calls.values()])
  }

  private change(id: string, at: number, changes: Pick<OpenCall, "waits" | "isAsked">): void {
    const before = this.calls.get(id)
    if (!before) return
    this.calls.set(id, { ...before, ...changes, since: at, askedMs: askedMs(before, at) })
    this.screen.running([...this.calls.values()])
  }

  private end({ call, tool, envelope, at }: Extract<SessionEvent, { type: "tool-end" }>): void {
    const { style } = this.options
    const open = this.calls.get(call)
    const words = open?.words ?? style.bold(visibleLine(tool, 64))
    const workMs = Math.max(0, envelope.metadata.duration_ms - (open ? askedMs(open, at) : 0))
    this.calls.delete(call)
    const ended = callEnd(envelope, style.say)
    const outcome = ended.isGood ? style.green(ended.words) : style.red(ended.words)
    this.tell(`  ${words}  ${outcome}  ${style.dim(durationWords(workMs))}`)
  }

  /** Says what has ended. */
  private tell(line: string): void {
    this.screen.endText()
    this.screen.running([...this.calls.values()])
    this.screen.line(line)
  }
}

function askedMs({ askedMs, isAsked, since }: OpenCall, at: number): number {
  return isAsked ? askedMs + at - since : askedMs
}

/** The lines that a person sees after a turn that did not end well; empty for one that did. */
export function endLines({ reason, message, hint }: TurnOutcome, style: Style): readonly string[] {
  if (reason === "done") return []
  const { say } = style
  const word = reason === "aborted" ? style.yellow(say`stopped:`) : style.red(say`error:`)
  return [`${word} ${visible(say(message ?? reason))}`, ...(hint === undefined ? [] : [`  ${visible(say(hint))}`])]
}

// The joiners of an emoji are judged by their neighbours, and half a character is none.
const unsettled = /[^\0-\u02ff]{1,4}$/

/** Text in pieces, made harmless although a piece may end inside a character. */
export class VisiblePieces {
  private held = ""

  add(piece: string): string {
    const text = this.held + piece
    const at = unsettled.exec(text)?.index ?? text.length
    this.held = text.slice(at)
    return visible(text.slice(0, at))
  }

  end(): string {
    const { held } = this
    this.held = ""
    return visible(held)
  }
}
