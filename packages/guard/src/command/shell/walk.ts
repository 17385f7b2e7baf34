import type { CommandNode, CompoundList, Script, Statement, Word, WordPart } from "unbash"
import type { Argument } from "../argument.js"
import type { CommandContext, CommandPartAnalysis } from "../command-analysis.js"
import type { Scope } from "./scope.js"

/** The steps of a walk that call one another in a circle, as the syntax does. */
export interface Visit {
  script(walk: Walk, scope: Scope, script: Script): void
  statements(walk: Walk, scope: Scope, statements: readonly Statement[]): void
  command(walk: Walk, scope: Scope, node: CommandNode): void
  compound(walk: Walk, scope: Scope, node: Exclude<CommandNode, { type: "Command" }> | CompoundList): void
  word(walk: Walk, scope: Scope, word: Word): readonly Argument[]
  parts(walk: Walk, scope: Scope, parts: readonly WordPart[] | undefined): void
}

/** One analysis while it runs: what it knows of the place, and the parts found so far. */
export interface Walk {
  readonly context: CommandContext
  readonly visit: Visit
  readonly parts: CommandPartAnalysis[]
  /** The line is read in a worker, where it may take long. */
  readonly isApart: boolean
  /** Where the text could not be followed; one reason is enough. */
  trouble: string | undefined
  pipelines: number
  /** Commands, branches and rounds of loops that were looked at. */
  steps: number
  /** Words that were looked at. */
  words: number
  /** Characters of all texts that were read. */
  characters: number
}

/** Starts an analysis. */
export function startWalk(context: CommandContext, visit: Visit, isApart: boolean): Walk {
  return { context, visit, isApart, parts: [], trouble: undefined, pipelines: 0, steps: 0, words: 0, characters: 0 }
}

/** Thrown when a line holds more than can be judged; the caller adds an opaque part. */
export class TooMuch extends Error {}

// Far above what people and models write in one line; loops and nested shells reach it on purpose only.
const maxParts = 200
const maxSteps = 1000

/** Adds a part; a line with too many of them ends the analysis. */
export function addPart(walk: Walk, part: CommandPartAnalysis): void {
  takeStep(walk)
  if (walk.parts.length >= maxParts) throw new TooMuch(`it holds more than ${maxParts} commands`)
  walk.parts.push(part)
}

/** Counts one more command, branch or round of a loop; loops in loops would otherwise never end. */
export function takeStep(walk: Walk): void {
  if (walk.steps++ >= maxSteps) throw new TooMuch("its loops hold more commands than can be followed")
}

/** How many words of a command are looked at: each may be a path, whose place is asked from the disk. */
export function takeWords(walk: Walk, count: number): number {
  const taken = Math.min(count, Math.max(maxWords - walk.words, fewWords))
  walk.words += taken
  return taken
}

const maxWords = 2000
// Enough for every command to be known by the rules that are about it.
const fewWords = 8

/** A part that says why the line cannot be followed further. */
export function opaquePart(text: string, directory: string, why: string): CommandPartAnalysis {
  return { ...emptyPart(text, directory), opaque: true, why, readOnly: false }
}

/** A part that does nothing. */
export function emptyPart(text: string, directory: string): CommandPartAnalysis {
  return {
    text,
    argv: [],
    assignments: [],
    reads: [],
    writes: [],
    deletes: [],
    hosts: [],
    directory,
    unresolved: [],
    opaque: false,
    wrappers: [],
    readOnly: true,
    plain: false,
  }
}
