import { endOfBracket } from "./end-of-bracket.js"

/** What a sed script does besides printing. */
export interface SedScript {
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  /** Commands that it runs, each a text for a shell (`e command`). */
  readonly commands: readonly string[]
  /** It runs what it finds in its input (`e`, or `s///e`). */
  readonly runs: boolean
}

/** Reads a sed script; undefined when it cannot be followed. */
export function readSedScript(text: string): SedScript | undefined {
  const script: WritableScript = { reads: [], writes: [], commands: [], runs: false }
  let at = 0
  while (at < text.length) {
    const command = skip(/(?:[\s;}]|#[^\n]*)*/y, text, at)
    if (command >= text.length) break
    const named = skipAddresses(text, command)
    if (named === undefined) return undefined
    const next = readCommand(text, skip(/[\s!]*/y, text, named), script)
    if (next === undefined) return undefined
    at = next
  }
  return script
}

interface WritableScript {
  readonly reads: string[]
  readonly writes: string[]
  readonly commands: string[]
  runs: boolean
}

function readCommand(text: string, at: number, script: WritableScript): number | undefined {
  const letter = text[at]
  const rest = lineFrom(text, at + 1)
  switch (letter) {
    case "{":
    case "=":
    case "d":
    case "D":
    case "F":
    case "g":
    case "G":
    case "h":
    case "H":
    case "n":
    case "N":
    case "p":
    case "P":
    case "x":
    case "z":
      return at + 1
    case "l":
    case "L":
    case "q":
    case "Q":
      return skip(/[ \t]*\d*/y, text, at + 1)
    case "b":
    case "t":
    case "T":
    case ":":
      return afterLabel(text, skip(/[ \t]*[\w.-]*/y, text, at + 1))
    case "a":
    case "i":
    case "c":
      return skip(/(?:\\[\s\S]|[^\n\\])*/y, text, at + 1)
    case "r":
    case "R":
      script.reads.push(rest.trim())
      return at + 1 + rest.length
    case "w":
    case "W":
      script.writes.push(rest.trim())
      return at + 1 + rest.length
    case "e":
      if (rest.trim() === "") script.runs = true
      else script.commands.push(rest.trim())
      return at + 1 + rest.length
    case "s":
      return readSubstitution(text, at, script)
    case "y":
      return skipDelimited(text, at + 1, 2, false)
    default:
      return undefined
  }
}

/** What may belong to a label differs between versions. */
function afterLabel(text: string, at: number): number | undefined {
  return at >= text.length || /[\s;}]/.test(text[at]!) ? at : undefined
}

function readSubstitution(text: string, at: number, script: WritableScript): number | undefined {
  const end = skipDelimited(text, at + 1, 2)
  if (end === undefined) return undefined
  const flags = /[gpiImMe\d]*/y
  flags.lastIndex = end
  const [given] = flags.exec(text)!
  if (given.includes("e")) script.runs = true
  const after = end + given.length
  if (text[after] !== "w") return after
  const rest = lineFrom(text, after + 1)
  script.writes.push(rest.trim())
  return after + 1 + rest.length
}

/** Up to two addresses: numbers, `$`, `/regex/`, `\cregexc`, with steps and flags. */
function skipAddresses(text: string, at: number): number | undefined {
  let next = at
  for (let count = 0; count < 2; count++) {
    const found = skipAddress(text, next)
    if (found === undefined) return undefined
    next = skip(/[ \t]*/y, text, found)
    if (text[next] !== "," || count === 1) return next
    next = skip(/[ \t]*/y, text, next + 1)
  }
  return next
}

function skipAddress(text: string, at: number): number | undefined {
  const letter = text[at]
  if (letter === "/" || letter === "\\") {
    const end = skipDelimited(text, letter === "/" ? at : at + 1, 1)
    return end === undefined ? undefined : skip(/[IM]*/y, text, end)
  }
  return skip(/\$|[+~]?\d+(?:~\d+)?/y, text, at)
}

/** Past `count` texts that end with the delimiter at `at`; the first is a regular expression unless it has no brackets. */
function skipDelimited(text: string, at: number, count: number, brackets = true): number | undefined {
  const delimiter = text[at]
  if (delimiter === undefined || delimiter === "\n" || delimiter === "\\") return undefined
  let next = at + 1
  for (let left = count; left > 0; next++) {
    const letter = text[next]
    if (letter === undefined) return undefined
    if (letter === "\\") next++
    else if (letter === delimiter) left--
    else if (letter === "[" && left === count && brackets) {
      // A delimiter inside brackets does not end the text, but which sed agrees with that differs: give up.
      const end = endOfBracket(text, next)
      if (end === undefined || text.slice(next, end).includes(delimiter)) return undefined
      next = end - 1
    }
  }
  return next
}

function lineFrom(text: string, at: number): string {
  const end = text.indexOf("\n", at)
  return end < 0 ? text.slice(at) : text.slice(at, end)
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return at + (pattern.exec(text)?.[0].length ?? 0)
}
