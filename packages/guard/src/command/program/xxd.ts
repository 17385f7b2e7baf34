import { type Argument, mayBeOption, quoted } from "../argument.js"
import type { Findings } from "./findings.js"
import { operandRules } from "./operand-rules.js"

/** `xxd`: its file and, where one is named, the file that it writes. Letters behind one dash are no options of their own. */
export function xxd(words: readonly Argument[], findings: Findings): void {
  let next = 0
  for (let word = words[next]; word && mayBeOption(word); word = words[next]) {
    const takes = withValue.test(word.text) && words[next + 1]?.kind === "literal"
    if (word.kind !== "literal" || !(takes || alone.has(word.text) || withNumber.test(word.text)))
      findings.opaque(`it is not known what the option ${quoted(word.text)} does`)
    next += takes ? 2 : 1
  }
  operandRules["read, write"]({ operands: words.slice(next), options: new Map(), given: [] }, findings)
}

const alone = new Set("-a -b -C -d -e -E -i -p -ps -plain -r -u".split(" "))
const withValue = /^-[cglos]$/
const withNumber = /^-[cglos][+-]?(?:0x[\da-f]+|\d+)$/i
