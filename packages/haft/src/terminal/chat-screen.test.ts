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
})
