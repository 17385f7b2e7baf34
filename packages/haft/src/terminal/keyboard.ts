import { createInterface } from "node:readline"
import { ToolError } from "@haft/contract"

/** A terminal that a person sits at: questions go to one stream, answers come from the other. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?: (raw: boolean) => unknown }
  readonly stderr: NodeJS.WritableStream
  readonly env: Readonly<Record<string, string | undefined>>
  /** Does what Ctrl-C does; needed because a terminal that sends single keys sends no signals. */
  readonly interrupt?: () => void
}

/** The key that stands for Esc, Ctrl-D and the end of input. */
export const escapeKey = "escape"

/** One key at a time, or whole lines for people who work better with those (HAFT_ACCESSIBLE=1). */
export async function readKey(terminal: Terminal, signal: AbortSignal): Promise<string> {
  if (terminal.env.HAFT_ACCESSIBLE || !terminal.stdin.setRawMode) {
    const line = await readLine(terminal, "Answer: ", signal)
    return line === undefined ? escapeKey : (line.trim()[0] ?? "")
  }
  return readRawKey(terminal, signal)
}

/** A line, or undefined when the person ended the input instead. `initial` can be edited. */
export function readLine(
  terminal: Terminal,
  prompt: string,
  signal: AbortSignal,
  initial = "",
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(interrupted())
    const lines = createInterface({
      input: terminal.stdin,
      output: terminal.stderr,
      terminal: terminal.stdin.isTTY === true,
    })
    let done = false
    const end = (settle: () => void) => {
      if (done) return
      done = true
      signal.removeEventListener("abort", onAbort)
      lines.close()
      settle()
    }
    const onAbort = () => end(() => reject(interrupted()))
    signal.addEventListener("abort", onAbort)
    lines.on("SIGINT", () => end(() => interruptBy(terminal, reject)))
    lines.on("close", () => end(() => resolve(undefined)))
    lines.question(prompt, (line) => end(() => resolve(line)))
    if (initial !== "") lines.write(initial)
  })
}

function readRawKey(terminal: Terminal, signal: AbortSignal): Promise<string> {
  const { stdin } = terminal
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(interrupted())
    const end = (settle: () => void) => {
      stdin.off("data", onData)
      stdin.off("end", onEnd)
      signal.removeEventListener("abort", onAbort)
      stdin.setRawMode!(false)
      stdin.pause()
      settle()
    }
    const onAbort = () => end(() => reject(interrupted()))
    const onEnd = () => end(() => resolve(escapeKey))
    const onData = (piece: Buffer | string) => {
      const { key, rest } = firstKey(piece.toString())
      if (key === "") return
      end(() => {
        // What was typed further belongs to the next question.
        if (rest !== "") stdin.unshift(Buffer.from(rest))
        if (key === "\u0003") interruptBy(terminal, reject)
        else resolve(key)
      })
    }
    signal.addEventListener("abort", onAbort)
    stdin.setRawMode!(true)
    stdin.on("end", onEnd)
    stdin.on("data", onData)
    stdin.resume()
  })
}

// Arrow and function keys begin with Esc and a bracket; they choose nothing and must not reject.
const longKey = /^\u001b[[O][0-9;]*[A-Za-z~]/

function firstKey(text: string): { key: string; rest: string } {
  const ignored = longKey.exec(text)
  if (ignored) return firstKey(text.slice(ignored[0].length))
  const [first = ""] = text
  const key = first === "\u001b" || first === "\u0004" ? escapeKey : first
  return { key, rest: text.slice(first.length) }
}

function interruptBy(terminal: Terminal, reject: (reason: unknown) => void): void {
  terminal.interrupt?.()
  reject(interrupted())
}

function interrupted(): ToolError {
  return new ToolError("cancelled", "Cannot go on: it was interrupted")
}
