import { visibleLine } from "@haft/guard"
import type { Output } from "../command/io.js"
import { durationWords } from "./call-words.js"
import { fold, widthOf } from "./columns.js"
import type { Style } from "./style.js"
import { type RunningCall, type Screen, VisiblePieces } from "./turn-view.js"

const promptSign = "> "
const redrawMs = 25
const clockMs = 1000

/** The line that is being written. */
export interface MessageLine {
  readonly text: string
  readonly cursor: number
}

/**
 * A terminal whose last rows are drawn again and again: the text that streams, the calls that run, the message line. What is
 * finished goes above them and is never touched again. A dumb terminal gets every text once, in its order.
 */
export class ChatScreen implements Screen {
  private readonly out: Output
  readonly style: Style
  private readonly isDumb: boolean
  private readonly pieces = new VisiblePieces()
  private partial = ""
  private finished = ""
  private calls: readonly RunningCall[] = []
  private notice = ""
  private message: MessageLine = { text: "", cursor: 0 }
  private cursorRow = 0
  private isHeld = false
  /** The last line of a prompt, where it has no end yet. */
  private unfinished = ""
  private timer: NodeJS.Timeout | undefined
  private clock: NodeJS.Timeout | undefined

  constructor(out: Output, style: Style, isDumb: boolean) {
    this.out = out
    this.style = style
    this.isDumb = isDumb
  }

  text(piece: string): void {
    this.stream(this.pieces.add(piece))
  }

  endText(): void {
    this.stream(this.pieces.end())
    if (this.partial !== "") this.stream("\n")
  }

  line(line: string): void {
    this.endText()
    this.stream(`${line}\n`)
  }

  running(calls: readonly RunningCall[]): void {
    this.calls = calls
    clearInterval(this.clock)
    this.clock = calls.length > 0 && !this.isDumb ? setInterval(() => this.redraw(), clockMs) : undefined
    this.redraw()
  }

  /** What is being written, and a word about what waits. */
  show(message: MessageLine, notice = this.notice): void {
    this.message = { text: message.text, cursor: message.cursor }
    this.notice = notice
    this.redraw()
  }

  /**
   * Text of a prompt: it goes out as it is, above the message line unless the prompt has the keys. A line without an end, at
   * which the prompt wants to read, comes when it has them: until then the message line is at that place.
   */
  pass(text: string): void {
    if (this.isDumb) this.out.write(text.replace(/\u001b\[\?2004[hl]/g, ""))
    else if (this.isHeld) this.out.write(text)
    else {
      const all = this.unfinished + text
      const end = all.lastIndexOf("\n") + 1
      this.unfinished = all.slice(end)
      if (end === 0) return
      this.flush()
      this.erase()
      this.out.write(all.slice(0, end))
      this.redraw()
    }
  }

  /** From now on the prompt draws alone; what comes meanwhile waits. */
  hold(): void {
    this.flush()
    this.erase()
    this.isHeld = true
    this.out.write(this.unfinished)
    this.unfinished = ""
  }

  release(): void {
    this.isHeld = false
    this.unfinished = ""
    this.redraw()
  }

  /** Leaves the terminal with all that was said. */
  close(): void {
    clearInterval(this.clock)
    this.isHeld = false
    this.calls = []
    this.endText()
    this.flush()
    this.erase()
  }

  private stream(text: string): void {
    if (text === "") return
    const lines = (this.partial + text).split("\n")
    this.partial = lines.pop()!
    if (this.isDumb) {
      this.out.write(text)
      return
    }
    const width = this.width
    this.finished += lines.map((line) => `${line}\n`).join("")
    if (widthOf(this.partial) > width) {
      // A row that is full is finished; the terminal has wrapped it where a new line begins here.
      const rows = fold(this.partial, width)
      this.partial = rows.at(-1)!
      this.finished += rows
        .slice(0, -1)
        .map((row) => `${row}\n`)
        .join("")
    }
    this.redraw()
  }

  private redraw(): void {
    if (this.isDumb || this.isHeld) return
    this.timer ??= setTimeout(() => this.flush(), redrawMs)
  }

  private flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.isDumb || this.isHeld) return
    this.erase()
    const rows = [...(this.partial === "" ? [] : [this.partial]), ...this.callRows(), ...this.noticeRows()]
    // What is higher than the terminal could not be erased.
    const height = Math.max(1, (this.out.rows || 24) - rows.length - 1)
    const { input, row, column } = inputRows(this.message, this.width, height)
    const drawn = [...rows, ...input].join("\n")
    const up = input.length - 1 - row
    const place = `${up > 0 ? `\u001b[${up}A` : ""}\r${column > 0 ? `\u001b[${column}C` : ""}`
    this.out.write(`${this.finished}${drawn}${place}`)
    this.finished = ""
    this.cursorRow = rows.length + row
  }

  private erase(): void {
    if (this.isDumb) return
    this.out.write(`${this.cursorRow > 0 ? `\u001b[${this.cursorRow}A` : ""}\r\u001b[J`)
    this.cursorRow = 0
  }

  private callRows(): readonly string[] {
    const now = Date.now()
    const { say, yellow } = this.style
    return this.calls.map(({ words, since, waits }) => {
      const time = now - since < clockMs ? "" : `  ${this.style.dim(durationWords(now - since))}`
      return this.cut(`  ${words}  ${yellow(waits ? say`waits for you` : say`runs`)}${time}`)
    })
  }

  private noticeRows(): readonly string[] {
    return this.notice === "" ? [] : [this.cut(this.style.dim(visibleLine(this.notice)))]
  }

  /** One row: a row that the terminal wraps would not be erased. */
  private cut(line: string): string {
    return widthOf(line) <= this.width ? line : fold(line.replace(/\u001b\[\d+m/g, ""), this.width)[0]!
  }

  private get width(): number {
    return Math.max(20, this.out.columns || 80) - 1
  }
}

/** The message as rows, at most so many: those around the cursor, and where in them it is. */
function inputRows({ text, cursor }: MessageLine, width: number, height: number) {
  const line = text.slice(0, cursor).split("\n").length - 1
  const first = Math.max(0, line - height)
  const rows: string[] = []
  let row = 0
  let column = 0
  const lines = text.split("\n").slice(first, line + height)
  lines.forEach((each, index) => {
    const sign = first + index === 0 ? promptSign : "  "
    if (first + index === line) {
      const before = fold(sign + shown(text.slice(text.lastIndexOf("\n", cursor - 1) + 1, cursor)), width)
      row = rows.length + before.length - 1
      column = widthOf(before.at(-1)!)
    }
    rows.push(...fold(sign + shown(each), width))
  })
  const top = Math.max(0, Math.min(row - height + 1, rows.length - height))
  return { input: rows.slice(top, top + height), row: row - top, column }
}

function shown(line: string): string {
  return visibleLine(line.replaceAll("\t", "    "), Number.POSITIVE_INFINITY)
}
