/** What a person does at the message line besides writing. */
export interface LineActions {
  submit(line: string): void
  /** Ctrl-C. */
  interrupt(): void
  /** Ctrl-D on an empty line, or the end of the input. */
  leave(): void
  /** Tab. */
  focus(): void
}

const tokens = /\u001b\[[0-9;]*[A-Za-z~]|\u001bO[A-Za-z]|\u001b[\s\S]?|[\p{Cc}]|[^\p{Cc}]+/gu
const maxHistory = 200

/** The text of a message while it is written: keys come in, text and cursor come out. */
export class LineEditor {
  text = ""
  /** In code units, never inside a character. */
  cursor = 0
  private readonly actions: LineActions
  private readonly history: string[] = []
  private place = 0
  private draft = ""

  constructor(actions: LineActions) {
    this.actions = actions
  }

  /** Takes what was typed. Pasted text has come through a filter that leaves no control characters in it. */
  add(typed: string): void {
    for (const [token] of typed.matchAll(tokens)) {
      const act = keys[token]
      if (act) act(this)
      else if (!/^\p{Cc}/u.test(token)) this.insert(token)
    }
  }

  clear(): void {
    this.set("")
  }

  insert(text: string): void {
    this.set(this.text.slice(0, this.cursor) + text + this.text.slice(this.cursor), this.cursor + text.length)
  }

  submit(): void {
    const line = this.text
    if (line.trim() === "") return
    if (this.history.at(-1) !== line) this.history.push(line)
    if (this.history.length > maxHistory) this.history.shift()
    this.place = this.history.length
    this.clear()
    this.actions.submit(line)
  }

  end(): void {
    if (this.text === "") this.actions.leave()
  }

  interrupt(): void {
    this.actions.interrupt()
  }

  focus(): void {
    this.actions.focus()
  }

  move(to: number): void {
    this.cursor = Math.max(0, Math.min(this.text.length, to))
  }

  left(): number {
    return this.cursor - (lastGrapheme(this.text.slice(0, this.cursor))?.length ?? 0)
  }

  right(): number {
    return this.cursor + (firstGrapheme(this.text.slice(this.cursor))?.length ?? 0)
  }

  wordLeft(): number {
    return /\S*\s*$/u.exec(this.text.slice(0, this.cursor))?.index ?? 0
  }

  remove(from: number, to: number): void {
    this.set(this.text.slice(0, from) + this.text.slice(to), from)
  }

  /** Goes to another line of the history; what was being written comes back at its end. */
  recall(step: number): void {
    const next = this.place + step
    if (next < 0 || next > this.history.length) return
    if (this.place === this.history.length) this.draft = this.text
    this.place = next
    this.set(this.history[next] ?? this.draft)
  }

  private set(text: string, cursor = text.length): void {
    this.text = text
    this.cursor = cursor
  }
}

const keys: Readonly<Record<string, (editor: LineEditor) => void>> = {
  "\r": (editor) => editor.submit(),
  "\n": (editor) => editor.submit(),
  "\t": (editor) => editor.focus(),
  "\u0003": (editor) => editor.interrupt(),
  "\u0004": (editor) => editor.end(),
  "\u0001": (editor) => editor.move(0),
  "\u001b[H": (editor) => editor.move(0),
  "\u0005": (editor) => editor.move(editor.text.length),
  "\u001b[F": (editor) => editor.move(editor.text.length),
  "\u001b[D": (editor) => editor.move(editor.left()),
  "\u001b[C": (editor) => editor.move(editor.right()),
  "\u001b[A": (editor) => editor.recall(-1),
  "\u001b[B": (editor) => editor.recall(1),
  "\u007f": (editor) => editor.remove(editor.left(), editor.cursor),
  "\b": (editor) => editor.remove(editor.left(), editor.cursor),
  "\u001b[3~": (editor) => editor.remove(editor.cursor, editor.right()),
  "\u0015": (editor) => editor.remove(0, editor.cursor),
  "\u000b": (editor) => editor.remove(editor.cursor, editor.text.length),
  "\u0017": (editor) => editor.remove(editor.wordLeft(), editor.cursor),
}

function firstGrapheme(text: string): string | undefined {
  return new Intl.Segmenter().segment(text)[Symbol.iterator]().next().value?.segment
}

function lastGrapheme(text: string): string | undefined {
  return [...new Intl.Segmenter().segment(text)].at(-1)?.segment
}
