import { type Argument, type Findings, literal, unknown } from "./findings.js"
import type { ProgramFamily, ReadProgram } from "./program.js"
import { hasOption, type ReadArguments, readArguments, valuesOf } from "./read-arguments.js"

/** Programs that run another command with more input, more rights or in a shell: it is judged as a command of its own. */
export const runningPrograms: ProgramFamily = {
  xargs,
  watch,
  sudo: privileged("AbEHKklnPSVv CghpRrtTUuD= --non-interactive --preserve-env? --user= --group="),
  doas: privileged("Lns aCu="),
  pkexec: privileged("--user= --disable-internal-agent --keep-cwd"),
  su: (words, findings) => {
    findings.opaque("it runs with the rights of another user")
    const at = words.findIndex((word) => word.text === "-c" || word.text === "--command")
    const script = at < 0 ? undefined : words[at + 1]
    if (script?.kind === "literal")
      findings.nested.push({ kind: "script", text: script.text, shell: "sh", positional: [] })
  },
  parallel: (_words, findings) => findings.steered("it runs commands that it makes from its input"),
  sh: shell("sh"),
  dash: shell("sh"),
  ash: shell("sh"),
  bash: shell("bash"),
  zsh: shell("other"),
  ksh: shell("other"),
  mksh: shell("other"),
  fish: shell("other"),
  csh: shell("other"),
  tcsh: shell("other"),
}

/** `xargs` puts words from its input behind the command, or in the place that `-I` names. */
function xargs(words: readonly Argument[], findings: Findings): void {
  const read = readArguments(
    words,
    {
      options:
        "0oprtx EILPdns= a< --null --no-run-if-empty --verbose --exit --delimiter= --max-args= --max-procs= --max-lines= --max-chars= --replace? --arg-file< --interactive",
      ordered: true,
      careful: true,
    },
    findings,
  )
  if (read.operands.length === 0) return
  const marks = marksOf(read)
  const input = unknown("(words from its input)")
  if (marks.length === 0) findings.nested.push({ kind: "words", words: [...read.operands, input] })
  else {
    const placed = read.operands.map((word) =>
      marks.some((mark) => word.text.includes(mark)) ? unknown(word.text, "one word") : word,
    )
    findings.nested.push({ kind: "words", words: placed })
  }
}

/** What words of the input are put in the place of; the last one counts, but all are taken. */
function marksOf(read: ReadArguments): readonly string[] {
  const given = valuesOf(read, "-I", "--replace").map(({ text }) => text)
  return read.options.get("--replace") === true ? [...given, "{}"] : given
}

/** `watch` joins its words into one line for a shell. */
function watch(words: readonly Argument[], findings: Findings): void {
  const options = "bcdegptwx n= --interval= --differences? --no-title --exec --color --errexit --chgexit --beep"
  const read = readArguments(words, { options, ordered: true, careful: true }, findings)
  if (hasOption(read, "-x", "--exec")) findings.nested.push({ kind: "words", words: read.operands })
  else if (read.operands.every((word) => word.kind === "literal")) {
    const text = read.operands.map((word) => word.text).join(" ")
    findings.nested.push({ kind: "script", text, shell: "sh", positional: [] })
  } else findings.steered("the line that it runs cannot be known before it runs")
}

function privileged(options: string): ReadProgram {
  return (words, findings) => {
    findings.opaque("it runs with the rights of another user")
    const { operands } = readArguments(words, { options, ordered: true }, findings)
    const command = operands.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word.text))
    if (command >= 0) findings.nested.push({ kind: "words", words: operands.slice(command) })
  }
}

/** A shell: the text behind `-c` or in its input is read like the line itself; anything else that it runs is not known here. */
function shell(kind: "bash" | "sh" | "other"): ReadProgram {
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
      else findings.steered("the text that it runs cannot be known before it runs")
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
