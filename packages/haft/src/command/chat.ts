import { ToolError, type TurnOutcome } from "@haft/contract"
import { visible, visibleLine } from "@haft/guard"
import type { Agent } from "../library/agent.js"
import { usageWords } from "../terminal/call-words.js"
import { ChatKeyboard } from "../terminal/chat-keyboard.js"
import { ChatScreen } from "../terminal/chat-screen.js"
import { type Style, styleFor } from "../terminal/style.js"
import { endLines, TurnView } from "../terminal/turn-view.js"
import type { Run } from "./command.js"
import { exitCodes } from "./exit-code.js"
import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"
import { limitsOf, type OpenedAgent, openAgent } from "./open-agent.js"
import { type Prompt, promptFiles } from "./prompt-input.js"

const mostSaid = 2000

/** `haft chat`: a conversation with an agent at the terminal. */
export const run: Run = async (invocation, io) => {
  if (!io.stdin.isTTY || !io.stdout.isTTY) {
    throw new ToolError("invalid_args", "Cannot chat: standard input and output must be a terminal", {
      hint: "Without a terminal use: haft run PROMPT",
    })
  }
  return new Chat(invocation, io).run()
}

function helpLines({ say }: Style): readonly string[] {
  return [
    `/help          ${say`this list`}`,
    `/model [NAME]  ${say`the model; with a name, another one from the next message on`}`,
    `/session       ${say`the id of this session, to go on later`}`,
    `/exit          ${say`leave (also Ctrl-D)`}`,
    say`Ctrl-C stops the turn; twice leaves. A message that you send during a turn waits for its end.`,
  ]
}

/** A message as it is said again above its answer. */
function messageLines(text: string): readonly string[] {
  const whole = visible(text)
  const said = whole.length > mostSaid ? `${whole.slice(0, mostSaid - 1)}…` : whole
  return said.split("\n").map((line, index) => (index === 0 ? `> ${line}` : `  ${line}`))
}

/** One conversation: messages wait in a queue, turns run one after the other. */
class Chat {
  private readonly invocation: Invocation
  private readonly io: Io
  private readonly style: Style
  private readonly screen: ChatScreen
  private readonly keyboard: ChatKeyboard
  private readonly view: TurnView
  private readonly queue: Prompt[] = []
  private opened!: OpenedAgent
  private agent!: Agent
  private model = ""
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
      interrupt: () => this.interrupt(),
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
      const session = await this.agent.session()
      this.keyboard.start()
      this.io.signal?.addEventListener("abort", () => this.leave(), { once: true })
      this.screen.line(
        this.style.dim(
          `${visibleLine(this.model)}  ${this.style.say`session ${session}`}  ${this.style.say`/help shows commands`}`,
        ),
      )
      this.screen.show(this.keyboard.editor)
      await this.converse()
      return this.io.signal?.aborted ? exitCodes.interrupted : exitCodes.ok
    } finally {
      this.keyboard.close()
      this.screen.close()
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

  private async converse(): Promise<void> {
    while (!this.isLeaving) {
      const next = this.queue.shift()
      if (next) await this.send(next)
      else await this.untilWoken()
    }
  }

  /** Shows the turns in which the agent reads reports of work in the background, until the person wants something. */
  private async untilWoken(): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.wake = resolve
    })
    const session = await this.agent.session()
    const rest = this.agent.rest()
    void woken.then(() => rest.return?.())
    for await (const event of rest) {
      this.view.show(event)
      if (event.session !== session) continue
      if (event.type === "turn-start") {
        this.turn = new AbortController()
        const { signal } = this.turn
        signal.addEventListener("abort", () => void this.agent.abort((signal.reason as Error).message))
      } else if (event.type === "turn-end") {
        this.turn = undefined
        this.showEnd(event.outcome)
      }
    }
    await woken
    this.turn = undefined
  }

  private async send(prompt: Prompt): Promise<void> {
    this.turn = new AbortController()
    this.isWarned = false
    for (const line of messageLines(prompt.text)) this.screen.line(this.style.bold(line))
    this.showQueue()
    try {
      for await (const event of this.agent.send(prompt, { signal: this.turn.signal })) this.view.show(event)
      this.showEnd(await this.agent.result)
    } catch (error) {
      if (!ToolError.is(error)) throw error
      const hint = error.fix ?? error.hint
      this.showError(error)
      if (hint) this.screen.line(`  ${visibleLine(this.style.say(hint), 1000)}`)
    } finally {
      this.turn = undefined
    }
  }

  private showError({ message }: ToolError): void {
    const { red, say } = this.style
    this.screen.line(`${red(say`error:`)} ${visibleLine(say(message), 1000)}`)
  }

  private showEnd(outcome: TurnOutcome): void {
    for (const line of endLines(outcome, this.style)) this.screen.line(line)
    if (!this.invocation.quiet) this.screen.line(this.style.dim(usageWords(outcome.usage, this.style.say)))
  }

  private submit(line: string): void {
    // A path is no command.
    if (/^\/[\w-]*(\s|$)/.test(line)) void this.command(line.slice(1).trim().split(/\s+/))
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

  private async command([name, value]: readonly string[]): Promise<void> {
    if (name === "exit" || name === "quit") this.leave()
    else if (name === "session") this.screen.line(await this.agent.session())
    else if (name === "model" && value === undefined) this.screen.line(visibleLine(this.model))
    else if (name === "model") await this.changeModel(value!)
    else {
      if (name !== "help") this.screen.line(this.style.say`There is no command /${visibleLine(name ?? "")}`)
      for (const line of helpLines(this.style)) this.screen.line(line)
    }
  }

  /** The same session with another model; one that cannot be used leaves the former. */
  private async changeModel(model: string): Promise<void> {
    if (this.turn) {
      this.screen.line(this.style.say`The model can be changed when the turn has ended`)
      return
    }
    const session = await this.agent.session()
    await this.agent.close()
    const next = this.opened.another(model, session)
    try {
      await next.session()
      this.agent = next
      this.model = model
      this.screen.line(this.style.say`From now on: ${visibleLine(model)}`)
    } catch (error) {
      if (!ToolError.is(error)) throw error
      this.showError(error)
      this.agent = this.opened.another(this.model, session)
    }
    this.wake()
  }

  /** Once stops the turn, twice leaves. */
  private interrupt(): void {
    if (this.turn && !this.turn.signal.aborted) {
      this.turn.abort(new ToolError("cancelled", "the person stopped the turn"))
      this.screen.show(this.keyboard.editor, this.style.say`Stopping; Ctrl-C again leaves`)
    } else if (this.turn) {
      this.keyboard.close()
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
}
