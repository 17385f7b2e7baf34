import { createInterface } from "node:readline"
import { PassThrough } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import { ToolError } from "@haft/contract"
import { type Say, sayEnglish } from "@haft/language"
import type { Output } from "../command/io.js"
import {
  burstMs,
  escapeCode,
  escapeKey,
  KeyBurst,
  PasteFilter,
  pasteEnd,
  pasteKey,
  pasteStart,
  quietMs,
  Silence,
} from "./key-burst.js"

/** A terminal that a person sits at: questions go to one stream, answers come from the other. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & {
    readonly isTTY?: boolean
    setRawMode?: (raw: boolean) => unknown
  }
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Says what is asked of a whole line. */
  readonly say?: Say
  /** Does what Ctrl-C does; needed because a terminal that sends single keys sends no signals. */
  readonly interrupt?: () => void
}

/**
 * One key that a person pressed on purpose: nothing was typed for a moment before it, so that what was meant for something
 * else answers nothing, and nothing follows it at once. Whole lines for people who work better with those (HAFT_ACCESSIBLE=1).
 */
export async function readKey(terminal: Terminal, signal: AbortSignal): Promise<string> {
  if (terminal.env.HAFT_ACCESSIBLE) {
    await discardTyped(terminal, signal)
    const line = (await readPlainLine(terminal, (terminal.say ?? sayEnglish)`Answer: `, signal)) ?? escapeCode
    return line.trim().length > 1 ? pasteKey : line === escapeCode ? escapeKey : line.trim()
  }
  return inRawMode(terminal, signal, (settle) => {
    const keys = new KeyBurst((key) => settle.resolve(key))
    return { text: (text) => keys.add(text), ended: () => settle.resolve(escapeKey), close: () => keys.stop() }
  })
}

/** Throws away what was typed before now; resolves when nothing was typed for a moment. */
export function discardTyped(terminal: Terminal, signal: AbortSignal): Promise<void> {
  return inRawMode(terminal, signal, (settle) => {
    const silence = new Silence()
    const listen = () => silence.await(quietMs, () => settle.resolve())
    listen()
    return { text: listen, ended: () => settle.resolve(), close: () => silence.stop() }
  })
}

/** A line that can be edited, or undefined when the person left with Esc or ended the input. Pasted text has no line breaks. */
export function readLine(
  terminal: Terminal,
  prompt: string,
  signal: AbortSignal,
  initial = "",
): Promise<string | undefined> {
  if (terminal.env.HAFT_ACCESSIBLE) {
    return readPlainLine(terminal, prompt, signal).then((line) => {
      const text = line?.replaceAll(pasteStart, "").replaceAll(pasteEnd, "")
      return text?.includes(escapeCode) ? undefined : text
    })
  }
  return inRawMode(terminal, signal, (settle) => {
    const typed = new PassThrough()
    const { stderr } = terminal
    const lines = createInterface({
      ...{ input: typed, output: stderr, terminal: true, historySize: 0, escapeCodeTimeout: burstMs },
    })
    const ended = () => {
      stderr.write("\n")
      settle.resolve(undefined)
    }
    const leave = () => {
      // To the end of the text first, which may have several rows.
      lines.write(null as never, { ctrl: true, name: "e" })
      ended()
    }
    typed.on("keypress", (_text, key?: { readonly name?: string }) => key?.name === "escape" && leave())
    lines.on("SIGINT", () => settle.interrupt())
    // Would stop the process with the terminal in raw mode.
    lines.on("SIGTSTP", () => undefined)
    lines.on("close", ended)
    lines.question(prompt, (line) => settle.resolve(line))
    if (initial !== "") lines.write(initial)
    const pastes = new PasteFilter((text) => typed.write(text))
    return {
      text: (text) => pastes.add(text),
      ended,
      close() {
        pastes.stop()
        lines.off("close", ended)
        lines.close()
      },
    }
  })
}

/** A line as the terminal itself edits it, without any movement of the cursor. */
function readPlainLine(terminal: Terminal, prompt: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const { stdin, stderr } = terminal
    if (signal.aborted) return reject(interrupted())
    if (!stdin.readable) return resolve(undefined)
    const lines = createInterface({ input: stdin, output: stderr, terminal: false })
    const restore = () => stderr.write(markNoPastes)
    const end = (settle: () => void) => {
      process.off("exit", restore)
      restore()
      signal.removeEventListener("abort", onAbort)
      lines.off("close", onClose)
      lines.close()
      stdin.pause()
      settle()
    }
    const onAbort = () => end(() => reject(interrupted()))
    const onClose = () => end(() => resolve(undefined))
    signal.addEventListener("abort", onAbort)
    lines.on("close", onClose)
    process.once("exit", restore)
    stderr.write(markPastes)
    lines.question(prompt, (line) => end(() => resolve(line)))
  })
}

interface RawReader {
  text(text: string): void
  /** The terminal is gone. */
  ended(): void
  close(): void
}

interface Settle<Value> {
  resolve(value: Value): void
  interrupt(): void
}

/** Reads single keys until the reader has what it wants; the terminal is as before then, whatever happens. */
function inRawMode<Value>(
  terminal: Terminal,
  signal: AbortSignal,
  begin: (settle: Settle<Value>) => RawReader,
): Promise<Value> {
  const { stdin, stderr } = terminal
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(interrupted())
    const decoder = new StringDecoder("utf8")
    let done = false
    // Also called when the process exits in between; writing to a terminal is done when it returns.
    const restore = () => {
      stderr.write(markNoPastes)
      stdin.setRawMode?.(false)
    }
    const end = (settle: () => void) => {
      if (done) return
      done = true
      reader.close()
      stdin.off("data", onData)
      signal.removeEventListener("abort", onAbort)
      process.off("exit", restore)
      process.off("SIGHUP", interrupt)
      // A terminal that is gone fails here once more, so this end is still listened for.
      restore()
      for (const event of ends) stdin.off(event, onEnd)
      stdin.pause()
      settle()
    }
    const interrupt = () => {
      terminal.interrupt?.()
      end(() => reject(interrupted()))
    }
    const onAbort = () => end(() => reject(interrupted()))
    const onEnd = () => done || reader.ended()
    const onData = (piece: Buffer | string) => {
      const text = typeof piece === "string" ? piece : decoder.write(piece)
      if (text.includes("\u0003") && !text.includes(pasteStart)) interrupt()
      else if (text !== "") reader.text(text)
    }
    const reader = begin({ resolve: (value) => end(() => resolve(value)), interrupt })
    signal.addEventListener("abort", onAbort)
    process.once("exit", restore)
    // Ends the process by default, and the terminal would stay as it is.
    process.on("SIGHUP", interrupt)
    stdin.setRawMode?.(true)
    stderr.write(markPastes)
    for (const event of ends) stdin.on(event, onEnd)
    stdin.on("data", onData)
    if (stdin.readable) stdin.resume()
    else onEnd()
  })
}

// Switches bracketed paste on and off.
const markPastes = "\u001b[?2004h"
const markNoPastes = "\u001b[?2004l"

// A terminal that was closed gives an error where others give an end.
const ends = ["end", "close", "error"] as const

function interrupted(): ToolError {
  return new ToolError("cancelled", "Cannot go on: it was interrupted")
}
