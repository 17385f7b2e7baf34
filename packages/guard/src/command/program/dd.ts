import { type Argument, literal, quoted } from "../argument.js"
import type { Findings } from "./findings.js"

/** `dd`: `if=` is read, `of=` is written. */
export function dd(words: readonly Argument[], findings: Findings): void {
  for (const word of words) {
    const [, key, value] = /^(\w+)=([\s\S]*)$/.exec(word.text) ?? []
    if (word.kind !== "literal") findings.opaque(`what ${quoted(word.text)} is cannot be told before it runs`)
    else if (key === "if") findings.read(literal(value!))
    else if (key === "of") findings.write(literal(value!))
    else if (!key || !settings.has(key)) findings.opaque(`it is not known what the word ${quoted(word.text)} does`)
  }
}

const settings = new Set(["bs", "cbs", "conv", "count", "ibs", "iflag", "obs", "oflag", "seek", "skip", "status"])
