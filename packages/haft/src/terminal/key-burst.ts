/** The name of Esc, Ctrl-D and the end of input. */
export const escapeKey = "escape"
/** The name of pasted text, and of keys that come too fast to be a choice. */
export const pasteKey = "paste"

// A person who was typing when the question came has stopped by then.
export const quietMs = 250
// What follows a key sooner than this was not typed: a paste, or the rest of a key that sends several bytes.
export const burstMs = 50

export const escapeCode = "\u001b"
// Bracketed paste: the terminal says where pasted text begins and ends.
export const pasteStart = "\u001b[200~"
export const pasteEnd = "\u001b[201~"
// A long paste over a slow line has pauses.
const pasteMs = 1000
// Arrow and function keys, and keys with Alt: they choose nothing and must not reject.
const longKeys = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O[ -~]|[ -NP-Z\\^-~])/g

/** A time without any typing. */
export class Silence {
  private timer: NodeJS.Timeout | undefined
  private check: NodeJS.Immediate | undefined

  /** Calls back when nothing was typed for so long; to be called again when something was. */
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

/** Collects what comes at once and calls back with the key that it is. */
export class KeyBurst {
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

// A person gets out of a paste that does not end.
const onlyInterrupts = /^\u0003+$/
// Enter is \r: a lone \n is the second half of a pasted line break.
const loneKey = /^[^\P{Cc}\n]$/u

/** Passes typed text on as it is, and pasted text without what would act as a key: on one line, where nobody takes lines. */
export class PasteFilter {
  private readonly onText: (text: string) => void
  private readonly onLines: ((lines: string) => void) | undefined
  private readonly silence = new Silence()
  private held = ""
  private isPasting = false
  private isStalled = false

  constructor(onText: (text: string) => void, onLines?: (lines: string) => void) {
    this.onText = onText
    this.onLines = onLines
  }

  add(text: string): void {
    this.silence.stop()
    if (this.isPasting && (onlyInterrupts.test(text) || (this.isStalled && loneKey.test(text)))) this.endPaste()
    this.isStalled = false
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
    let split = splitMarker(rest, this.isPasting ? pasteEnd : pasteStart)
    // The other half of a line break may be in the next piece.
    if (this.isPasting && rest[split - 1] === "\r") split -= 1
    this.held = rest.slice(split)
    this.pass(rest.slice(0, split))
    this.awaitRest()
  }

  stop(): void {
    this.silence.stop()
  }

  private awaitRest(): void {
    if (this.isPasting) {
      this.silence.await(pasteMs, () => {
        this.isStalled = true
      })
    } else if (this.held !== "") {
      // Esc alone and with one more sign is a key, and also how a marker begins.
      this.silence.await(this.held.length > 2 ? pasteMs : burstMs, () => this.release())
    }
  }

  /** Without its end marker, which some terminal may never send. */
  private endPaste(): void {
    this.release()
    this.isPasting = false
  }

  private release(): void {
    const { held } = this
    this.held = ""
    this.pass(held)
  }

  private pass(text: string): void {
    if (text === "") return
    if (!this.isPasting) this.onText(text)
    else if (this.onLines) this.onLines(text.replace(/\r\n?/g, "\n").replace(/[^\P{Control}\n\t]+/gu, " "))
    else this.onText(text.replace(/\p{Control}+/gu, " "))
  }
}

/** The index at which a text ends with the beginning of a marker; its length when it does not. */
function splitMarker(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(marker.slice(0, length))) return text.length - length
  }
  return text.length
}
