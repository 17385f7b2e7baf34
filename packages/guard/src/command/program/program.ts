import { type Argument, type Findings, literal } from "./findings.js"
import { type ArgumentGrammar, type ReadArguments, readArguments } from "./read-arguments.js"

/** Reads the words behind a program's name and notes what it would do. */
export type ReadProgram = (words: readonly Argument[], findings: Findings) => void

/** A program that ordinary option tables describe. */
export interface ProgramTable extends ArgumentGrammar {
  /** What its operands are. */
  readonly operands: OperandRule
  /** It changes something, even when no file is named. */
  readonly changes?: true
  /** What the tables cannot say. */
  readonly inspect?: (read: ReadArguments, findings: Findings) => void
}

/** What is known about a program. */
export type Program = ProgramTable | ReadProgram

/** Programs by name. */
export type ProgramFamily = Readonly<Record<string, Program>>

/** Notes what a program would do with these words. */
export function applyProgram(program: Program, words: readonly Argument[], findings: Findings): void {
  if (typeof program === "function") {
    program(words, findings)
    return
  }
  if (program.changes) findings.readOnly = false
  const read = readArguments(words, program, findings)
  operandRules[program.operands](read, findings)
  program.inspect?.(read, findings)
}

/** The ways in which programs understand their operands. */
export type OperandRule = keyof typeof operandRules

type ApplyRule = (read: ReadArguments, findings: Findings) => void

/** What each way means for files. */
export const operandRules = {
  /** Words that name no file. */
  text: () => {},
  none: ({ operands }, findings) => {
    if (operands.length > 0) findings.opaque(`it is not known what the word "${operands[0]!.text}" does`)
  },
  reads: ({ operands }, findings) => {
    for (const operand of operands) findings.read(operand)
  },
  /** Without any it looks at the working directory. */
  "reads or here": ({ operands }, findings) => {
    for (const operand of operands.length > 0 ? operands : [here]) findings.read(operand)
  },
  /** A pattern or a program text first, unless an option gave it. */
  "pattern, reads": (read, findings) => {
    for (const operand of afterPattern(read)) findings.read(operand)
  },
  "pattern, reads or here": (read, findings) => {
    const files = afterPattern(read)
    for (const operand of files.length > 0 ? files : [here]) findings.read(operand)
  },
  /** One file in and, where it is named, one file out. */
  "read, write": ({ operands }, findings) => {
    const [from, to, ...more] = operands
    if (from) findings.read(from)
    // Of several names that a wildcard finds the second is written.
    if (from?.kind === "names") findings.write(from)
    if (to) findings.write(to)
    if (more.length > 0) findings.opaque(`it is not known what the word "${more[0]!.text}" does`)
  },
  writes: ({ operands }, findings) => {
    for (const operand of operands) findings.write(operand)
  },
  /** A mode or an owner first. */
  "text, writes": ({ operands, options }, findings) => {
    const named = options.has("--reference") ? operands : behindFirst(operands)
    for (const operand of named) findings.write(operand)
  },
  deletes: ({ operands }, findings) => {
    for (const operand of operands) findings.delete(operand)
  },
} satisfies Record<string, ApplyRule>

const here = literal(".")

function afterPattern({ operands, options }: ReadArguments): readonly Argument[] {
  const given = patternOptions.some((option) => options.has(option))
  return given ? operands : behindFirst(operands)
}

/** The operands behind the first one; a wildcard may find more names than one, and all but the first are among them. */
export function behindFirst(operands: readonly Argument[]): readonly Argument[] {
  return operands[0]?.kind === "names" ? operands : operands.slice(1)
}

const patternOptions = ["-e", "-f", "--regexp", "--file", "--expression", "--from-file", "--files"]
