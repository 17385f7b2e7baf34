import { literal } from "./argument.js"
import type { CommandAnalysis, CommandContext } from "./command-analysis.js"
import { needsWorker } from "./needs-worker.js"
import { Findings } from "./program/findings.js"
import { resolveWord, walkParts } from "./shell/resolve-word.js"
import { runScript } from "./shell/run-script.js"
import { runWords } from "./shell/run-words.js"
import { freshScope } from "./shell/scope.js"
import { addPart, emptyPart, opaquePart, startWalk, TooMuch, type Visit, type Walk } from "./shell/walk.js"
import { walkCompound } from "./shell/walk-compound.js"
import { walkCommand, walkScript, walkStatements } from "./shell/walk-script.js"

/** What a line for bash would do, command by command. Any text gives a result; what is not understood is opaque. */
export function analyzeBash(text: string, context: CommandContext): CommandAnalysis {
  return analyze(text, { context, isApart: needsWorker(text) }, (walk) => {
    const scope = freshScope(text, { shell: "bash", depth: 0, places: [context.directory] })
    runScript(walk, scope)
  })
}

/** What a program with these words would do, without a shell in between. */
export function analyzeArgv(argv: readonly string[], context: CommandContext): CommandAnalysis {
  const text = argv.join(" ")
  return analyze(text, { context, isApart: false }, (walk) => {
    const scope = freshScope("", { shell: "sh", depth: 0, places: [context.directory] })
    const words = argv.map(literal)
    const findings = new Findings()
    if (words.length === 0) addPart(walk, opaquePart(text, context.directory, "it names no program"))
    else runWords(walk, scope, { text, words, assignments: [], findings, redirected: undefined })
  })
}

interface Conditions {
  readonly context: CommandContext
  readonly isApart: boolean
}

function analyze(text: string, { context, isApart }: Conditions, run: (walk: Walk) => void): CommandAnalysis {
  const walk = startWalk(context, visit, isApart)
  try {
    run(walk)
  } catch (error) {
    walk.trouble = error instanceof TooMuch ? error.message : "its text could not be read"
  }
  if (text.includes("\0")) walk.trouble = "it holds a NUL character"
  const { parts } = walk
  if (walk.trouble !== undefined) parts.push(opaquePart(text, context.directory, walk.trouble))
  // Nothing to run is nothing to judge, but a call without parts is never allowed.
  if (parts.length === 0) parts.push(emptyPart(text, context.directory))
  const recipe = parts.find((part) => part.recipe)?.recipe
  return { text, parts, ...(recipe ? { recipe } : {}), parsed: walk.trouble === undefined }
}

/** The steps of a walk through a line for a shell. */
const visit: Visit = {
  script: walkScript,
  statements: walkStatements,
  command: walkCommand,
  compound: walkCompound,
  word: resolveWord,
  parts: walkParts,
}
