import { literal, unknown } from "../argument.js"
import type { ReadProgram } from "../program/program.js"

/** A shell: the text behind `-c` is read like the line itself; anything else that it would run is not known here. */
export function shell(kind: "bash" | "sh" | "other"): ReadProgram {
  return (words, findings) => {
    if (kind === "other") findings.opaque("this shell reads its text by rules of its own")
    let next = 0
    let takesText = false
    for (; next < words.length; next++) {
      const word = words[next]!
      if (word.kind !== "literal" || !/^[-+]./.test(word.text)) break
      if (word.text === "--") {
        next++
        break
      }
      if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(word.text)) {
        takesText = true
        // -l and -i read start-up files first.
        if (!/^-[ceux]+$/.test(word.text)) findings.opaque(`it is not known what the option "${word.text}" does`)
      } else if (/^[-+][eux]*o$/.test(word.text)) next++
      else if (!/^[-+][eux]+$/.test(word.text)) findings.opaque(`it is not known what the option "${word.text}" does`)
    }
    const [text, , ...positional] = words.slice(next)
    if (takesText && text?.kind === "literal") {
      const known = positional.map((word) => (word.kind === "names" ? unknown(word.text) : word))
      findings.nested.push({
        kind: "script",
        text: text.text,
        shell: kind === "other" ? "sh" : kind,
        positional: known,
      })
    } else if (takesText) findings.opaque("the text that it runs cannot be told before it runs")
    else {
      findings.opaque("it runs text from a file or from its input")
      if (text?.kind === "literal") findings.read(literal(text.text))
    }
  }
}
