import { type Argument, literal, unknown } from "../argument.js"
import type { Findings } from "../program/findings.js"
import type { ReadProgram } from "../program/program.js"

/** A shell: the text behind `-c` or in its input is read like the line itself; anything else that it runs is not known here. */
export function shell(kind: "bash" | "sh" | "other"): ReadProgram {
  return (words, findings) => {
    if (kind === "other") findings.runsCode("this shell reads its text by rules of its own")
    const { next, takes } = readOptions(words, findings)
    const [first, ...rest] = words.slice(next)
    const run = (text: string, positional: readonly Argument[]) => {
      const known = positional.map((word) => (word.kind === "names" ? unknown(word.text) : word))
      findings.nested.push({ kind: "script", text, shell: kind === "other" ? "sh" : kind, positional: known })
    }
    if (takes === "text") {
      if (first?.kind === "literal") run(first.text, rest.slice(1))
      else findings.steered("the text that it runs cannot be told before it runs")
    } else if (takes === "input" || first === undefined) {
      if (findings.input.kind === "text") run(findings.input.text, takes === "input" ? words.slice(next) : [])
      else if (findings.input.kind === "file") findings.runsCode("it runs text from a file")
      else findings.steered("it runs text from its input")
    } else if (first.kind === "literal" && !first.text.startsWith("/dev/")) {
      findings.runsCode("it runs text from a file")
      findings.read(literal(first.text))
    } else findings.steered("it runs text from a file or from its input")
  }
}

/** Where the operands begin, and what is run: the text of `-c`, with `-s` the input, else a file. */
function readOptions(
  words: readonly Argument[],
  findings: Findings,
): { readonly next: number; readonly takes: "text" | "input" | "file" } {
  let takes: "text" | "input" | "file" = "file"
  let next = 0
  for (; next < words.length; next++) {
    const word = words[next]!
    if (word.kind !== "literal" || !/^[-+]./.test(word.text)) break
    if (word.text === "--") return { next: next + 1, takes }
    const { text } = word
    if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(text)) takes = "text"
    else if (/^-[a-zA-Z]*s[a-zA-Z]*$/.test(text) && takes === "file") takes = "input"
    if (/^[-+][eux]*o$/.test(text)) next++
    // -l and -i read start-up files first.
    else if (!/^(?:-[ceuxs]+|\+[eux]+)$/.test(text)) findings.runsCode(`it is not known what the option "${text}" does`)
  }
  return { next, takes }
}
