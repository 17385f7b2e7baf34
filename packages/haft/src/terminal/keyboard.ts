import { createInterface } from "node:readline"
import { PassThrough } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import { ToolError } from "@haft/contract"
import type { Output } from "../command/io.js"

/** A terminal that a person sits at: questions go to one stream, answers come from the other. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & {
    readonly isTTY?: boolean
    setRawMode?: (raw: boolean) => unknown
  }
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Does what Ctrl-C does; needed because a terminal that sends single keys sends no signals. */
  readonly interrupt?: () => void
}

/** The key that stands for Esc, Ctrl-D and the end of input. */
export const escapeKey = "escape"
/** What stands for pasted text, and for keys that come too fast to be a choice. */
export const pasteKey = "paste"

// Whoever was typing when the question came has stopped by then.
const quietMs = 250
// What follows a key sooner than this was not typed: a paste, or the rest of a key that sends several bytes.
const burstMs = 50

const escapeCode = "\u001b"
// Bracketed paste: the terminal says where pasted text begins and ends.
const markPastes = "\u001b[?2004h"
const markNoPastes = "\u001b[?2004l"
const pasteStart = "\u001b[200~"
const pasteEnd = "\u001b[201~"
// A long paste over a slow line has pauses.
const pasteMs = 1000
// Arrow and function keys, and keys with Alt: they choose nothing and must not reject.
const longKeys = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O[ -~]|[ -NP-Z\\^-~])/g

/**
 * One key that a person pressed on purpose: nothing was typed for a moment before it, so that what was meant for something
 * else answers nothing, and nothing follows it at once. Whole lines for people who work better with those (HAFT_ACCESSIBLE=1).
 */
export async function readKey(terminal: Terminal, signal: AbortSignal): Promise<string> {
  if (terminal.env.HAFT_ACCESSIBLE) {
    await discardTyped(terminal, signal)
    const line = (await readPlainLine(terminal, "Answer: ", signal)) ?? escapeCode
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

/** Who reads a terminal in raw mode. */
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

// A terminal that was closed gives an error where others give an end.
const ends = ["end", "close", "error"] as const

/** A time without any typing. */
class Silence {
  private timer: NodeJS.Timeout | undefined
  private check: NodeJS.Immediate | undefined

  /** Tells when nothing was typed for so long; to be called again when something was. */
  await(ms: number, onSilence: () => void): void {
    this.stop()
    this.timer = setTimeout(() => {
      // After a busy time the timer is due before the terminal was read: what waits there comes first.
      this.check = setImmediate(onSilence)
    }, ms)
  }

  stop(): void {
    clearTimeout(this.timer)
    clearImmediate(this.check)
  }
}

/** Collects what comes at once, and tells the key that it is. */
class KeyBurst {
  private readonly onKey: (key: string) => void
  private readonly silence = new Silence()
  private isQuiet = false
  private burst = ""

  constructor(onKey: (key: string) => void) {
    this.onKey = onKey
    this.listen()
  }

  add(text: string): void {
    if (this.isQuiet) this.burst += text
    this.listen()
  }

  stop(): void {
    this.silence.stop()
  }

  private listen(): void {
    if (this.burst !== "") {
      this.silence.await(isPasting(this.burst) ? pasteMs : burstMs, () => this.settle())
    } else {
      this.silence.await(quietMs, () => {
        this.isQuiet = true
      })
    }
  }

  private settle(): void {
    const key = keyOf(this.burst)
    this.burst = ""
    this.isQuiet = false
    this.listen()
    if (key !== undefined) this.onKey(key)
  }
}

function isPasting(burst: string): boolean {
  return burst.lastIndexOf(pasteStart) > burst.lastIndexOf(pasteEnd)
}

/** The key of a burst; undefined for keys that mean nothing here. */
function keyOf(burst: string): string | undefined {
  if (burst.includes(pasteStart)) return pasteKey
  const typed = burst.replace(longKeys, "")
  if (typed === "") return undefined
  if (/^\u001b+$/.test(typed) || typed === "\u0004") return escapeKey
  return [...new Intl.Segmenter().segment(typed)].length > 1 ? pasteKey : typed
}

/** Passes typed text on as it is, and pasted text without what would act as a key. */
class PasteFilter {
  private readonly onText: (text: string) => void
  private held = ""
  private isPasting = false
  private timer: NodeJS.Timeout | undefined

  constructor(onText: (text: string) => void) {
    this.onText = onText
  }

  add(text: string): void {
    clearTimeout(this.timer)
    let rest = this.held + text
    this.held = ""
    for (;;) {
      const marker = this.isPasting ? pasteEnd : pasteStart
      const at = rest.indexOf(marker)
      if (at === -1) break
      this.pass(rest.slice(0, at))
      this.isPasting = !this.isPasting
      rest = rest.slice(at + marker.length)
    }
    const split = splitMarker(rest, this.isPasting ? pasteEnd : pasteStart)
    this.held = rest.slice(split)
    this.pass(rest.slice(0, split))
    // Esc alone is a key of its own, and also how a marker begins.
    if (this.held !== "") this.timer = setTimeout(() => this.release(), burstMs)
  }

  stop(): void {
    clearTimeout(this.timer)
  }

  private release(): void {
    const { held } = this
    this.held = ""
    this.pass(held)
  }

  private pass(text: string): void {
    const passed = this.isPasting ? text.replace(/[\p{Control}]+/gu, " ") : text
    if (passed !== "") this.onText(passed)
  }
}

/** Where the beginning of a marker stands at the end of a text; the length of the text when none does. */
function splitMarker(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(marker.slice(0, length))) return text.length - length
  }
  return text.length
}

function interrupted(): ToolError {
  return new ToolError("cancelled", "Cannot go on: it was interrupted")
}
