import { firstLine, type SessionEvent, ToolError, type TurnOutcome } from "@haft/contract"
import { visible, visibleLine } from "@haft/guard"
import type { Agent } from "../library/agent.js"
import { sessionNamed } from "../library/branch-session.js"
import { withModel } from "../library/with-model.js"
import { usageWords } from "../terminal/call-words.js"
import { ChatKeyboard } from "../terminal/chat-keyboard.js"
import { ChatScreen } from "../terminal/chat-screen.js"
import { type Style, styleFor } from "../terminal/style.js"
import { endLines, TurnView } from "../terminal/turn-view.js"
import { commandWords, helpLines, unknownWords } from "./chat-commands.js"
import { earlierLines, messageLines } from "./chat-lines.js"
import type { Run } from "./command.js"
import { exitCodes } from "./exit-code.js"
import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"
import { limitsOf, type OpenedAgent, openAgent } from "./open-agent.js"
import { shellWord } from "./own-command.js"
import { type Prompt, promptFiles } from "./prompt-input.js"
import { flagsToGoOn } from "./run.js"
import { setUp } from "./setup.js"

/** `haft chat`: a conversation with an agent at the terminal. */
export const run: Run = async (invocation, io) => {
  const data = ["json", "ndjson"].find((name) => invocation.flag(name))
  if (data !== undefined) {
    throw new ToolError("invalid_args", `Cannot use "--${data}": a conversation is for people`, {
      hint: `For a program use: haft run PROMPT --${data}`,
    })
  }
  if (!io.stdin.isTTY || !io.stdout.isTTY) {
    throw new ToolError("invalid_args", "Cannot chat: standard input and output must be a terminal", {
      hint: "Without a terminal use: haft run PROMPT",
    })
  }
  return new Chat(invocation, io).run()
}

// What a turn tells of itself that an earlier process began: its beginning was told there.
const ofTurn: ReadonlySet<string> = new Set<SessionEvent["type"]>([
  "turn-start",
  "reply",
  "text-delta",
  "reasoning-delta",
  "tool-input-start",
  "tool-call",
  "tool-start",
  "tool-output-delta",
  "ask",
  "question",
])

/** What waits for its turn: a message, or a change of the model as it was typed. */
interface Entry extends Prompt {
  readonly model?: string
}

/** One conversation: messages wait in a queue, turns run one after the other. */
class Chat {
  private readonly invocation: Invocation
  private readonly io: Io
  private readonly style: Style
  private readonly screen: ChatScreen
  private readonly keyboard: ChatKeyboard
  private readonly view: TurnView
  private readonly queue: Entry[] = []
  private opened!: OpenedAgent
  private agent!: Agent
  private model = ""
  private session = ""
  private hasSent = false
  private wake: () => void = () => undefined
  private turn: AbortController | undefined
  private isLeaving = false
  private isWarned = false

  constructor(invocation: Invocation, io: Io) {
    this.invocation = invocation
    this.io = io
    this.style = styleFor(io.stdout, io.env, invocation)
    const isDumb = io.env.TERM === "dumb" || Boolean(io.env.HAFT_ACCESSIBLE)
    this.screen = new ChatScreen(io.stdout, this.style, isDumb)
    this.view = new TurnView(this.screen, { style: this.style })
    const actions = {
      submit: (line: string) => this.submit(line),
      interrupt: () => this.interruptKey(),
      leave: () => this.leave(),
      focus: () => undefined,
    }
    this.keyboard = new ChatKeyboard(io, this.screen, actions, isDumb)
  }

  async run(): Promise<number> {
    const person = this.invocation.flag("headless")
      ? ("headless" as const)
      : this.keyboard.person(this.style, () => this.interrupt())
    this.opened = await openAgent(this.invocation, this.io, { limits: limitsOf(this.invocation), person })
    this.agent = this.opened.agent
    this.model = this.opened.model
    try {
      await this.queueFirst()
      // A session that is opened goes on at once with what was left open in it.
      const earlier = await this.earlier()
      this.session = await this.agent.session()
      this.keyboard.start()
      this.io.signal?.addEventListener("abort", () => this.leave(), { once: true })
      this.screen.line(
        this.style.dim(
          `${visibleLine(this.model)}  ${this.style.say`session ${this.session}`}  ${this.style.say`/help shows commands`}`,
        ),
      )
      for (const line of earlier) this.screen.line(line)
      this.screen.show(this.keyboard.editor)
      await this.converse()
      return this.io.signal?.aborted ? exitCodes.interrupted : exitCodes.ok
    } finally {
      this.close()
      await this.agent.close()
      await this.opened.haft.close()
    }
  }

  /** The words of the command line are the first message. */
  private async queueFirst(): Promise<void> {
    const { texts, files } = await promptFiles(this.invocation, this.io)
    const text = [this.invocation.operands.join(" "), ...texts].filter((part) => part !== "").join("\n\n")
    if (text !== "" || files.length > 0) this.queue.push({ text, ...(files.length > 0 && { files }) })
  }

  /** The end of the conversation of an earlier session. */
  private async earlier(): Promise<readonly string[]> {
    const named = this.invocation.text("session")
    if (named === undefined) return []
    // What it notes was said when the agent was made.
    const { roots } = await setUp({ ...this.invocation, quiet: true }, this.io)
    const store = await this.opened.haft.store()
    return earlierLines(store, await sessionNamed(store, named, roots), this.style)
  }

  private async converse(): Promise<void> {
    while (!this.isLeaving) {
      const next = this.queue.shift()
      if (next?.model !== undefined) await this.changeModel(next.model)
      else if (next) await this.send(next)
      else await this.untilWoken()
    }
  }

  /** Shows the turns in which the agent reads reports of work in the background, until the person wants something. */
  private async untilWoken(): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.wake = resolve
    })
    const rest = this.agent.rest()
    void woken.then(() => rest.return?.())
    for await (const event of rest) {
      this.view.show(event)
      if (event.session !== this.session) continue
      if (this.turn === undefined && ofTurn.has(event.type)) {
        this.turn = new AbortController()
        this.hasSent = true
        const { signal } = this.turn
        signal.addEventListener("abort", () => void this.agent.abort((signal.reason as Error).message))
      } else if (event.type === "turn-end") {
        this.turn = undefined
        this.showEnd(event.outcome)
        this.showQueue()
      }
    }
    await woken
    this.turn = undefined
  }

  private async send(prompt: Prompt): Promise<void> {
    this.turn = new AbortController()
    this.isWarned = false
    this.hasSent = true
    for (const line of messageLines(prompt.text, this.style)) this.screen.line(line)
    this.showQueue()
    try {
      for await (const event of this.agent.send(prompt, { signal: this.turn.signal })) this.view.show(event)
      this.showEnd(await this.agent.result)
    } catch (error) {
      if (!ToolError.is(error)) throw error
      this.showError(error)
    } finally {
      this.turn = undefined
      this.showQueue()
    }
  }

  private showError({ message, fix, hint = "" }: ToolError): void {
    const { red, say } = this.style
    const step = fix ?? hint
    this.screen.line(`${red(say`error:`)} ${visibleLine(say(message), 1000)}`)
    if (step !== "") this.screen.line(`  ${visibleLine(say(step), 1000)}`)
  }

  private showEnd(outcome: TurnOutcome): void {
    for (const line of endLines(outcome, this.style)) this.screen.line(line)
    if (!this.invocation.quiet) this.screen.line(this.style.dim(usageWords(outcome.usage, this.style.say)))
  }

  private submit(line: string): void {
    const words = commandWords(line)
    if (words) this.command(words)
    else this.queue.push({ text: line })
    this.showQueue()
    this.wake()
  }

  private showQueue(): void {
    const waiting = this.turn ? this.queue.length : 0
    const [first] = this.queue
    const words = this.style.say`${waiting} waiting for the end of this turn: ${visibleLine(first?.text ?? "", 60)}`
    this.screen.show(this.keyboard.editor, waiting === 0 ? "" : words)
  }

  private command([name, value]: readonly string[]): void {
    if (name === "exit" || name === "quit") this.leave()
    else if (name === "session") for (const line of this.sessionLines(value)) this.screen.line(line)
    else if (name === "model" && value === undefined) this.screen.line(visibleLine(this.model))
    else if (name === "model" && this.turn)
      this.screen.line(this.style.say`The model can be changed when the turn has ended`)
    else if (name === "model") this.queue.push({ text: `/model ${value!}`, model: value! })
    else {
      if (name !== "help") this.screen.line(unknownWords(name ?? "", this.style))
      for (const line of helpLines(this.style)) this.screen.line(line)
    }
  }

  private sessionLines(other: string | undefined): readonly string[] {
    if (other === undefined) return [this.session]
    const { say } = this.style
    const named = visibleLine(shellWord(other))
    return [say`/session takes no name. For another session leave with /exit and run: haft chat --session ${named}`]
  }

  /** The same session with another model; one that cannot be used leaves the former. */
  private async changeModel(model: string): Promise<void> {
    await this.agent.close()
    // A session without a message is not on record.
    const session = this.hasSent || this.invocation.text("session") !== undefined ? this.session : undefined
    const next = await this.opened.another(model, session)
    try {
      this.session = await next.session()
      this.agent = next
      this.model = model
      this.screen.line(this.style.say`From now on: ${visibleLine(model)}`)
    } catch (error) {
      if (!ToolError.is(error)) throw error
      this.showError(error)
      this.agent = await this.opened.another(this.model, session)
      this.session = await this.agent.session()
    }
  }

  /** A message that is being written is cleared when there is no turn to stop. */
  private interruptKey(): void {
    const { editor } = this.keyboard
    if (this.turn || editor.text === "") this.interrupt()
    else editor.clear()
  }

  /** Once stops the turn, twice leaves. */
  private interrupt(): void {
    if (this.turn && !this.turn.signal.aborted) {
      this.turn.abort(new ToolError("cancelled", "the person stopped the turn"))
      this.screen.show(this.keyboard.editor, this.style.say`Stopping; Ctrl-C again leaves`)
    } else if (this.turn) {
      this.close()
      process.exit(exitCodes.interrupted)
    } else if (this.isWarned) this.leave()
    else {
      this.isWarned = true
      this.screen.line(this.style.dim(this.style.say`Ctrl-C again leaves`))
    }
  }

  private leave(): void {
    this.isLeaving = true
    this.turn?.abort(new ToolError("cancelled", "the person left"))
    this.wake()
  }

  /** The terminal is as before, below what the person must know. */
  private close(): void {
    const { yellow, dim, say } = this.style
    this.keyboard.close()
    if (this.session !== "") {
      for (const { text } of this.queue)
        this.screen.line(`${yellow(say`Not sent:`)} ${visibleLine(firstLine(text), 100)}`)
    }
    if (this.hasSent && !this.invocation.quiet) {
      this.screen.line(dim(say`To go on: haft chat --session ${visible(this.flagsToGoOn())}`))
    }
    this.screen.close()
  }

  /** The flags of this run, with the model that the person chose since. */
  private flagsToGoOn(): string {
    const { invocation, opened, model } = this
    if (model === opened.model) return flagsToGoOn(this.session, invocation)
    const baseUrl = invocation.text("base-url")
    const changed = withModel({ model: opened.model, ...(baseUrl !== undefined && { baseUrl }) }, model)
    const said = new Map([
      ["root", invocation.list("root")],
      ["model", [model]],
      ["base-url", changed.baseUrl === undefined ? [] : [changed.baseUrl]],
    ])
    return flagsToGoOn(this.session, { list: (name) => said.get(name) ?? [] })
  }
}
