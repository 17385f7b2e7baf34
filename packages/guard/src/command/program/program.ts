import type { Argument } from "../argument.js"
import type { Findings } from "./findings.js"
import { type OperandRule, operandRules } from "./operand-rules.js"
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
