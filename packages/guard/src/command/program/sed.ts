import { type Argument, type Findings, literal, quoted } from "./findings.js"
import { readArguments, valuesOf } from "./read-arguments.js"
import { readSedScript } from "./sed-script.js"

/** `sed`: its files, what `-i` rewrites, and what its script reads, writes or runs. */
export function sed(words: readonly Argument[], findings: Findings): void {
  const read = readArguments(
    words,
    {
      options:
        "nErszu el= i? --quiet --silent --expression= --regexp-extended --separate --null-data --unbuffered --line-length= --in-place? --posix --debug --sandbox",
      careful: true,
    },
    findings,
  )
  const { operands, options } = read
  const scripts = valuesOf(read, "-e", "--expression")
  const files = scripts.length > 0 ? operands : operands.slice(1)
  // Elsewhere `-i ''` means no copy, and the script comes behind it.
  const first = operands[0]?.text === "" ? 2 : 1
  for (const script of scripts.length > 0 ? scripts : operands.slice(0, first)) readScript(script, findings)
  const suffix = options.get("-i") ?? options.get("--in-place")
  for (const file of files) {
    findings.read(file)
    if (suffix !== undefined) writeInPlace(file, suffix, findings)
  }
}

function readScript(script: Argument, findings: Findings): void {
  if (script.kind !== "literal") {
    findings.steered(`the script ${quoted(script.text)} cannot be known before it runs`)
    return
  }
  const read = readSedScript(script.text)
  if (read === undefined) {
    findings.steered("its script could not be read")
    return
  }
  if (read.runs) findings.steered("its script runs what is in its input")
  if (read.commands.length > 0) findings.opaque("its script runs commands")
  for (const text of read.commands) findings.nested.push({ kind: "script", text, shell: "sh", positional: [] })
  for (const path of read.reads) findings.read(literal(path))
  for (const path of read.writes) findings.write(literal(path))
}

/** The suffix names the copy; a star in it means the name. */
function writeInPlace(file: Argument, suffix: Argument | true, findings: Findings): void {
  findings.write(file)
  if (suffix === true || file.kind !== "literal") return
  if (suffix.text.includes("/")) findings.opaque(`where "${suffix.text}" puts the copy is not known`)
  else if (suffix.text.includes("*"))
    findings.write(literal(file.text.replace(/[^/]*$/, (name) => suffix.text.replaceAll("*", name))))
  else findings.write(literal(`${file.text}${suffix.text}`))
}
