import { type Argument, literal } from "../argument.js"
import type { Findings } from "./findings.js"
import type { ReadArguments } from "./read-arguments.js"

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
