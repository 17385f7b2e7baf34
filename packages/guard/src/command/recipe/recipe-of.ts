import type { CommandAnalysis } from "../command-analysis.js"
import { joinPath } from "../../path/join-path.js"

/** Text kept in a file that a command such as `npm test` runs. */
export interface Recipe {
  readonly kind: "npm" | "make" | "just"
  /** Name of the script or target; empty for the default target. */
  readonly name: string
  /** Absolute path of the file, where the program looks first. */
  readonly file: string
}

/** The recipe that a line runs. */
export function recipeOf(analysis: CommandAnalysis): Recipe | undefined {
  return analysis.recipe
}

/** The recipe that one command runs in a folder; undefined when it runs none, or one in another place. */
export function recipeOfCommand(argv: readonly string[], directory: string): Recipe | undefined {
  const [program, ...words] = argv
  switch (program) {
    case "npm":
      return packageScript(words, npmShort, directory)
    case "pnpm":
    case "yarn":
      return packageScript(words, otherShort, directory)
    case "make":
    case "gmake":
      return target("make", words, joinPath(directory, "Makefile"))
    case "just":
      return target("just", words, joinPath(directory, "justfile"))
    default:
      return undefined
  }
}

const npmShort: ReadonlyMap<string, string> = new Map([
  ["test", "test"],
  ["t", "test"],
  ["tst", "test"],
  ["start", "start"],
  ["stop", "stop"],
  ["restart", "restart"],
])
const otherShort: ReadonlyMap<string, string> = new Map([
  ["test", "test"],
  ["t", "test"],
  ["start", "start"],
  ["build", "build"],
  ["lint", "lint"],
  ["typecheck", "typecheck"],
])

/** What follows the name, or two dashes, goes to the script. Options in front may choose another folder: no recipe then. */
function packageScript(
  words: readonly string[],
  short: ReadonlyMap<string, string>,
  directory: string,
): Recipe | undefined {
  const given = words.filter((word, index) => !quiet.has(word) || words.indexOf("--") === index)
  const [verb = "", name = ""] = given
  const rest = given.slice(0, given.includes("--") ? given.indexOf("--") : given.length)
  if (rest.some((word) => /^(?:-w|-C|--workspaces?|--prefix|--dir|--cwd|--script-shell|-r|--filter)(?:=|$)/.test(word)))
    return undefined
  const script = verb === "run" || verb === "run-script" ? name : short.get(verb)
  if (!script || script.startsWith("-")) return undefined
  return { kind: "npm", name: script, file: joinPath(directory, "package.json") }
}

const quiet = new Set(["-s", "--silent", "--quiet", "--if-present"])

/** Options may name another file or set variables that the recipe uses, so only plain targets count. */
function target(kind: "make" | "just", words: readonly string[], file: string): Recipe | undefined {
  const targets = words.filter((word) => !/^-j\d*$/.test(word))
  if (targets.length > 1 || targets.some((word) => word.startsWith("-") || word.includes("="))) return undefined
  return { kind, name: targets[0] ?? "", file }
}
