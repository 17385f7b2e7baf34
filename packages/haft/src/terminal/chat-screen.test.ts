import { EventEmitter } from "node:events"
import { sayEnglish } from "@haft/language"
import { describe, expect, test } from "vitest"
import type { Output } from "../command/io.js"
import { ChatScreen } from "./chat-screen.js"
import type { Style } from "./style.js"

const style = { say: sayEnglish, dim: (text: string) => text, yellow: (text: string) => text } as unknown as Style

/** A terminal that keeps what was written; what is on it now comes after the last erasure. */
class FakeTerminal extends EventEmitter {
  written = ""
  readonly columns: number
  readonly rows: number

  constructor(columns: number, rows: number) {
    super()
    this.columns = columns
    this.rows = rows
  }

  write(text: string): boolean {
    this.written += text
    return true
  }

  get now(): string {
    return this.written.split("\u001b[J").at(-1)!
  }
}

function screenOf(columns: number, rows: number) {
  const terminal = new FakeTerminal(columns, rows)
  return { terminal, screen: new ChatScreen(terminal as unknown as Output, style, false) }
}

const drawn = () => new Promise((resolve) => setTimeout(resolve, 60))

describe("ChatScreen", () => {
  test("the line at which a prompt reads is there when the prompt has the keys", async () => {
    const { terminal, screen } = screenOf(80, 24)
    screen.show({ text: "", cursor: 0 })
    screen.pass("\nWhich colour?\n")
    screen.pass("Your answer: ")
    await drawn()
    expect(terminal.now).toContain("> ")
    screen.hold()
    expect(terminal.now).toContain("Your answer: ")
    expect(terminal.written.match(/Your answer/g)).toHaveLength(1)
  })

  test("a prompt that ended before it had the keys leaves no line for the next one", async () => {
    const { terminal, screen } = screenOf(80, 24)
    screen.pass("Your answer: ")
    screen.release()
    screen.hold()
    expect(terminal.written).not.toContain("Your answer")
  })

  test("a message that is higher than the terminal is drawn where the cursor is, and no higher", async () => {
    const { terminal, screen } = screenOf(40, 10)
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index + 1}.`)
    const text = lines.join("\n")
    screen.show({ text, cursor: text.length })
    await drawn()
    expect(terminal.now).toContain("line 50.")
    expect(terminal.now.split("\n").length).toBeLessThan(10)
    screen.show({ text, cursor: 0 })
    await drawn()
    expect(terminal.now).toContain("> line 1.")
    expect(terminal.now.split("\n").length).toBeLessThan(10)
    screen.show({ text, cursor: text.indexOf("line 30.") + 2 })
    await drawn()
    expect(terminal.now).toContain("line 30.")
    // The cursor goes up to that row and behind its indent and two letters.
    expect(terminal.now).toMatch(/\r\u001b\[4C$/)
    const wide = "word ".repeat(500)
    screen.show({ text: wide, cursor: wide.length })
    await drawn()
    expect(terminal.now.split("\n").length).toBeLessThan(10)
    screen.close()
  })

  test("lines of a message are below each other, tabs as blanks", async () => {
    const { terminal, screen } = screenOf(40, 10)
    screen.show({ text: "if x:\n\tpass", cursor: 5 })
    await drawn()
    expect(terminal.now).toBe("> if x:\n      pass\u001b[1A\r\u001b[7C")
    screen.close()
  })
})
