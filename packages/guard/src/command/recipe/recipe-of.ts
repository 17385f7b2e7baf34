import type { CommandAnalysis } from "../command-analysis.js"
import { joinPath } from "../../path/join-path.js"
import { literal } from "../argument.js"
import { Findings } from "../program/findings.js"
import { lookThrough } from "../wrapper/look-through.js"

/** Text kept in a file that a command such as `npm test` runs. */
export interface Recipe {
  readonly kind: "npm" | "make" | "just"
  /** Name of the script, or names of the targets with blanks between them; empty for the default target. */
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
  const [program, ...words] = withoutWrappers(argv)
  switch (program) {
    case "npm":
      return packageScript(words, npmShort, directory)
    case "pnpm":
    case "yarn":
      return packageScript(words, scriptsByName, directory)
    case "make":
    case "gmake":
      return target("make", words, joinPath(directory, "Makefile"))
    case "just":
      return target("just", words, joinPath(directory, "justfile"))
    default:
      return undefined
  }
}

/** Whether a command runs text kept in a file, and which text that is cannot be told: options choose another place. */
export function hidesRecipe(argv: readonly string[]): boolean {
  const [program = "", ...words] = withoutWrappers(argv)
  if (program === "make" || program === "gmake" || program === "just") return recipeOfCommand(argv, "/") === undefined
  if (program !== "npm" && program !== "pnpm" && program !== "yarn") return false
  const runs = words.some((word) => word === "run" || word === "run-script" || npmShort.has(word))
  return runs && recipeOfCommand(argv, "/") === undefined
}

/** What is set in front of a command, and `timeout 9` before it, does not change the text that it runs. */
function withoutWrappers(argv: readonly string[]): readonly string[] {
  const start = argv.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  if (start < 0) return []
  return lookThrough(argv.slice(start).map(literal), new Findings()).words.map(({ text }) => text)
}

const npmShort: ReadonlyMap<string, string> = new Map([
  ["test", "test"],
  ["t", "test"],
  ["tst", "test"],
  ["start", "start"],
  ["stop", "stop"],
  ["restart", "restart"],
])
/** pnpm and yarn run every script by its name alone, unless they have a command of that name. */
const scriptsByName: Pick<ReadonlyMap<string, string>, "get"> = {
  get: (verb) => (verb === "t" ? "test" : ownCommands.has(verb) ? undefined : verb),
}
const ownCommands = new Set(
  "add approve-builds audit autoclean bin c cache cat-file cat-index check config constraints create dedupe deploy dlx doctor env exec explain fetch find-hash generate-lock-entry global help i import info init install install-test it licenses link list ll ln login logout ls node npm outdated owner pack patch patch-commit patch-remove plugin policies prune publish rb rebuild remove rm root search self-update server set setup stage store tag team un uninstall unlink unplug up update upgrade upgrade-interactive version versions why workspace workspaces".split(
    " ",
  ),
)

/** What follows the name, or two dashes, goes to the script. Options in front may choose another folder: no recipe then. */
function packageScript(
  words: readonly string[],
  short: Pick<ReadonlyMap<string, string>, "get">,
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
  if (targets.some((word) => !/^[^-=\s][^=\s]*$/.test(word))) return undefined
  return { kind, name: targets.join(" "), file }
}
