import { EventEmitter } from "node:events"
import { Writable } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import type { Person } from "@haft/contract"
import type { Io } from "../command/io.js"
import type { ChatScreen } from "./chat-screen.js"
import { PasteFilter, quietMs, Silence } from "./key-burst.js"
import type { Terminal } from "./keyboard.js"
import { type LineActions, LineEditor } from "./line-editor.js"
import type { Style } from "./style.js"
import { terminalPerson } from "./terminal-person.js"

// A prompt counts keys after its own quiet time; it must have passed when the keys become the prompt's.
const settledMs = quietMs + 150

/**
 * The keys of a chat: they write the message, or they answer a prompt. A prompt gets them only when the message is empty and
 * nothing was typed since it was shown, or with Tab; so a message that is being written never answers a question.
 */
export class ChatKeyboard {
  readonly editor: LineEditor
  private readonly io: Io
  private readonly screen: ChatScreen
  private readonly isDumb: boolean
  private readonly decoder = new StringDecoder("utf8")
  private readonly pastes: PasteFilter
  private readonly prompt: PromptKeys
  private readonly silence = new Silence()
  private asking: "closed" | "open" | undefined
  /** Whether the prompt has begun to listen: it is on the screen. */
  private isShown = false

  constructor(io: Io, screen: ChatScreen, actions: LineActions, isDumb: boolean) {
    this.io = io
    this.screen = screen
    this.isDumb = isDumb
    this.editor = new LineEditor({ ...actions, focus: () => this.open() })
    this.pastes = new PasteFilter(
      (text) => this.typed(text),
      (lines) => this.editor.insert(lines),
    )
    this.prompt = new PromptKeys({
      listens: (listens) => this.promptListens(listens),
    })
  }

  /** Begins to read keys. */
  start(): void {
    const { stdin } = this.io
    stdin.on("data", this.onData)
    stdin.on("end", this.editorLeaves)
    stdin.on("error", this.editorLeaves)
    this.rawMode(true)
    process.once("exit", this.restore)
    stdin.resume()
  }

  /** Stops reading; the terminal is as before. */
  close(): void {
    const { stdin } = this.io
    this.silence.stop()
    this.pastes.stop()
    stdin.off("data", this.onData)
    stdin.off("end", this.editorLeaves)
    stdin.off("error", this.editorLeaves)
    process.off("exit", this.restore)
    this.restore()
    stdin.pause()
  }

  /** Answers asks and questions: the prompts of the terminal, with keys of their own. */
  person(style: Style, interrupt: () => void): Person {
    const { screen, io } = this
    const stderr = Object.assign(
      new Writable({
        write(piece, _encoding, done) {
          screen.pass(String(piece))
          done()
        },
      }),
      { isTTY: true },
    )
    Object.defineProperty(stderr, "columns", { get: () => io.stdout.columns })
    io.stdout.on("resize", () => stderr.emit("resize"))
    const env = this.isDumb ? { ...io.env, HAFT_ACCESSIBLE: "1" } : io.env
    const terminal = { stdin: this.prompt, stderr, env, interrupt, say: style.say } as unknown as Terminal
    const inner = terminalPerson(terminal, style)
    // One after the other, as the prompts are: the second one must not take what is typed for the first.
    let last: Promise<unknown> = Promise.resolve()
    const inTurn = <Answer>(put: () => Promise<Answer>): Promise<Answer> => {
      const turn = last.then(() => this.asked(put))
      last = turn.then(ignore, ignore)
      return turn
    }
    return {
      ask: (request, signal) => inTurn(() => inner.ask(request, signal)),
      question: (questions, signal, callId) => inTurn(() => inner.question(questions, signal, callId)),
    }
  }

  private async asked<Answer>(put: () => Promise<Answer>): Promise<Answer> {
    this.asking = "closed"
    this.isShown = false
    try {
      return await put()
    } finally {
      this.asking = undefined
      this.silence.stop()
      this.rawMode(true)
      this.io.stdin.resume()
      this.screen.show(this.editor, "")
      this.screen.release()
    }
  }

  private readonly onData = (piece: Buffer | string): void => {
    const text = typeof piece === "string" ? piece : this.decoder.write(piece)
    if (this.asking === "open" && this.prompt.isListening) {
      this.prompt.emit("data", text)
      return
    }
    this.pastes.add(text)
    if (this.asking === "closed") this.awaitQuiet()
    this.screen.show(this.editor)
  }

  private typed(text: string): void {
    // Two of them may come in one piece, and the second means something else.
    const interrupts = text.split("\u0003").length - 1
    for (let count = 0; count < interrupts; count++) this.editor.add("\u0003")
    if (interrupts === 0) this.editor.add(text)
  }

  private readonly editorLeaves = (): void => this.editor.end()

  /** The prompt begins or stops to listen. While it has the keys, a program that it starts may have the terminal. */
  private promptListens(listens: boolean): void {
    if (this.asking === "closed" && listens && !this.isShown) {
      this.isShown = true
      this.awaitQuiet()
    }
    if (this.asking !== "open") return
    if (!listens) this.io.stdin.pause()
    this.rawMode(listens)
    if (listens) this.io.stdin.resume()
  }

  private awaitQuiet(): void {
    this.silence.await(settledMs, () => {
      if (this.editor.text === "") this.open()
      else
        this.screen.show(this.editor, this.screen.style.say`Your message goes on here. Tab: answer the question above`)
    })
  }

  private open(): void {
    if (this.asking !== "closed") return
    this.silence.stop()
    this.asking = "open"
    this.screen.hold()
  }

  private rawMode(raw: boolean): void {
    if (this.isDumb) return
    const stdin = this.io.stdin as Terminal["stdin"]
    stdin.setRawMode?.(raw)
    // Bracketed paste.
    this.io.stdout.write(raw ? "\u001b[?2004h" : "\u001b[?2004l")
  }

  private readonly restore = (): void => this.rawMode(false)
}

const ignore = () => undefined

/** The keys as a prompt reads them. Nothing is kept for a prompt that does not listen. */
class PromptKeys extends EventEmitter {
  readonly isTTY = true
  readonly readable = true
  isListening = false
  private readonly host: { listens(listens: boolean): void }

  constructor(host: { listens(listens: boolean): void }) {
    super()
    this.host = host
  }

  setRawMode(): void {
    // The chat has the terminal in raw mode already.
  }

  resume(): this {
    this.isListening = true
    this.host.listens(true)
    return this
  }

  pause(): this {
    this.isListening = false
    this.host.listens(false)
    return this
  }
}
