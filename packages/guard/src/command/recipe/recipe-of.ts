import { joinPath } from "../../path/join-path.js"
import { nameOf } from "../../path/parts.js"
import { literal } from "../argument.js"
import type { CommandAnalysis } from "../command-analysis.js"
import { Findings } from "../program/findings.js"
import { lookThrough } from "../wrapper/look-through.js"
import { mayRunScript, packageScript } from "./package-script.js"
import { scriptFiles } from "./script-files.js"

/** Text kept in a file that a command such as `npm test` or `bash x.sh` runs. */
export interface Recipe {
  readonly kind: "npm" | "make" | "file"
  /** Name of the script, or names of the targets with blanks between them, empty for the default; of a file the program that runs it. */
  readonly name: string
  /** Absolute path of the file, where the program looks first. */
  readonly file: string
  /** The folder that a file is run in; that of the file for all others. */
  readonly from?: string
  /** Further files that options of its program may load. */
  readonly others?: readonly string[]
}

/** The recipe that a line runs. */
export function recipeOf(analysis: CommandAnalysis): Recipe | undefined {
  return analysis.recipe
}

/** The recipe that one command runs in a folder; undefined when it runs none, or one in another place. */
export function recipeOfCommand(argv: readonly string[], directory: string): Recipe | undefined {
  const [program = "", ...words] = withoutWrappers(argv)
  switch (program) {
    case "make":
    case "gmake":
      return target(words, joinPath(directory, "Makefile"))
    default: {
      const name = packageScript(program, words)
      if (name !== undefined) return { kind: "npm", name, file: joinPath(directory, "package.json") }
      const files = scriptFiles(program, words)
      if (typeof files === "string") return undefined
      const [file, ...others] = files.map((each) => joinPath(directory, each))
      return { kind: "file", name: nameOf(program), file: file!, from: directory, ...(others.length > 0 && { others }) }
    }
  }
}

/** Whether a command runs text kept in a file, and which text that is cannot be told: options choose another place, or it comes from the input. */
export function hidesRecipe(argv: readonly string[]): boolean {
  const [program = "", ...words] = withoutWrappers(argv)
  if (recipeOfCommand(argv, "/") !== undefined) return false
  // Which file `just` takes, and what it reads there, is not followed.
  if (program === "make" || program === "gmake" || program === "just" || mayRunScript(program, words)) return true
  return scriptFiles(program, words) === "unknown"
}

/** Whether a command runs text kept in a file, be it known which or not. */
export function runsKeptText(argv: readonly string[]): boolean {
  return recipeOfCommand(argv, "/") !== undefined || hidesRecipe(argv)
}

/** What is set in front of a command, and `timeout 9` before it, does not change the text that it runs. */
function withoutWrappers(argv: readonly string[]): readonly string[] {
  const start = argv.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  if (start < 0) return []
  return lookThrough(argv.slice(start).map(literal), new Findings()).words.map(({ text }) => text)
}

/** Options may name another file or set variables that the recipe uses, so only plain targets count. */
function target(words: readonly string[], file: string): Recipe | undefined {
  const targets = words.filter((word) => !/^-j\d*$/.test(word))
  if (targets.some((word) => !/^[^-=\s][^=\s]*$/.test(word))) return undefined
  return { kind: "make", name: targets.join(" "), file }
}
