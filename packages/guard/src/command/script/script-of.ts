import { joinPath, nameOf } from "../../path.js"
import { Findings, literal } from "../program/findings.js"
import { lookThrough, programName } from "../program/known-programs.js"
import { mayRunScript, packageScript } from "./package-script.js"

/** Text kept in a file that a command such as `npm test` or `bash x.sh` runs. */
export interface Script {
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

/** The script that one command runs in a folder; undefined when it runs none, or one in another place. */
export function scriptOfCommand(argv: readonly string[], directory: string): Script | undefined {
  const [program = "", ...words] = withoutWrappers(argv)
  switch (program) {
    case "make":
    case "gmake":
      return target(words, joinPath(directory, "Makefile"))
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
    case "node": {
      const name = packageScript(program, words)
      if (name !== undefined) return { kind: "npm", name, file: joinPath(directory, "package.json") }
      return fileScript(program, words, directory)
    }
    default:
      return fileScript(program, words, directory)
  }
}

function fileScript(program: string, words: readonly string[], directory: string): Script | undefined {
  const files = scriptFiles(program, words)
  if (typeof files === "string") return undefined
  const [file, ...others] = files.map((each) => joinPath(directory, each))
  return { kind: "file", name: nameOf(program), file: file!, from: directory, ...(others.length > 0 && { others }) }
}

/** Whether a command runs text kept in a file, and which text that is cannot be known: options choose another place, or it comes from the input. */
export function hidesScript(argv: readonly string[]): boolean {
  const [program = "", ...words] = withoutWrappers(argv)
  if (scriptOfCommand(argv, "/") !== undefined) return false
  // Which file `just` takes, and what it reads there, is not followed.
  if (program === "make" || program === "gmake" || program === "just" || mayRunScript(program, words)) return true
  return scriptFiles(program, words) === "unknown"
}

/** Whether a command runs text kept in a file, be it known which or not. */
export function runsKeptText(argv: readonly string[]): boolean {
  return scriptOfCommand(argv, "/") !== undefined || hidesScript(argv)
}

/** What is set in front of a command, and `timeout 9` before it, does not change the text that it runs. */
function withoutWrappers(argv: readonly string[]): readonly string[] {
  const start = argv.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  if (start < 0) return []
  return lookThrough(argv.slice(start).map(literal), new Findings()).words.map(({ text }) => text)
}

/** Options may name another file or set variables that the script uses, so only plain targets count. */
function target(words: readonly string[], file: string): Script | undefined {
  const targets = words.filter((word) => !/^-j\d*$/.test(word))
  if (targets.some((word) => !/^[^-=\s][^=\s]*$/.test(word))) return undefined
  return { kind: "make", name: targets.join(" "), file }
}

/** How a program finds the text that it runs. */
interface Interpreter {
  /** Options behind which the text itself is, or the name of a module. */
  readonly text?: RegExp
  /** Options with which it reads the text from its input. */
  readonly input?: RegExp
  /** Options without a value; behind every other one the next word may be its value. */
  readonly flags?: RegExp
  /** It runs a file behind the word `run`, and where `short` is set also one that it is given at once; otherwise none. */
  readonly verb?: { readonly short: boolean }
  /** Options behind which the file is; without them it runs none. */
  readonly option?: RegExp
}

type Found = readonly string[] | "none" | "unknown"

/**
 * The files whose text a command runs: the script behind its interpreter with what options load, or a program that is named
 * by its path. `none` where it runs no file, `unknown` where its words do not tell which: a text from its input.
 */
function scriptFiles(program: string, words: readonly string[]): Found {
  const name = programName(program)
  if (name === undefined) return [program]
  if (runners.has(name)) return behindRunner(words)
  const interpreter = interpreters.get(name)
  if (interpreter === undefined) return "none"
  const { verb, option } = interpreter
  if (option) return behindOption(words, option)
  if (verb === undefined) return filesAmong(words, interpreter)
  const [first = ""] = words
  if (first === "run") return filesAmong(words.slice(1), interpreter)
  const isGiven = verb.short && (looksLikeFile(first) || (first.startsWith("-") && words.some(looksLikeFile)))
  return isGiven ? filesAmong(words, interpreter) : "none"
}

/** Whether a word of a command is meant as a file and not as a name. */
function looksLikeFile(word: string): boolean {
  return /^(?:[./]|[^-].*[./])/.test(word)
}

/** `uv run x.py`, `poetry run python x.py`, `npx tsx x.ts`: a file or a command follows. */
function behindRunner(words: readonly string[]): Found {
  const given = words.filter((word, index) => index > 1 || !/^(?:run|exec|-y|--yes|--no-install|--)$/.test(word))
  const [first = "", ...rest] = given
  if (first.startsWith("-")) return "unknown"
  if (/^\.{0,2}\/|\.(?:[cm]?[jt]sx?|py|sh|rb|pl)$/.test(first)) return [first]
  return first.includes("/") ? "none" : scriptFiles(first, rest)
}

function behindOption(words: readonly string[], option: RegExp): Found {
  const files = words.flatMap((word, index) => {
    const found = option.exec(word)
    return found ? [found[1] || (words[index + 1] ?? "-")] : []
  })
  return files.length === 0 ? "none" : files.some(isInput) ? "unknown" : files
}

/** The script, and before it the words that may be values of options: those are bound as well. */
function filesAmong(words: readonly string[], { text, input, flags }: Interpreter): Found {
  const files: string[] = []
  let option: string | undefined
  for (const word of words) {
    if (word === "--") option = undefined
    else if (/^[-+]./.test(word)) {
      if (text?.test(word) || answering.test(word)) return "none"
      if (input?.test(word)) return "unknown"
      const [, name, value] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? []
      if (value !== undefined && !isModule(name!, value) && looksLikeFile(value)) files.push(value)
      option = value === undefined && !flags?.test(word) ? word : undefined
    } else if (isInput(word)) return "unknown"
    else if (option === undefined) return [...files, word]
    else {
      if (!isModule(option, word)) files.push(word)
      option = undefined
    }
  }
  return files.length > 0 ? files : "unknown"
}

/** What such an option loads is looked up among packages, unless it is written as a path. */
function isModule(option: string, value: string): boolean {
  return /^(?:-r|-M|--require|--import|--(?:experimental-)?loader)$/.test(option) && !/^\.{0,2}\//.test(value)
}

function isInput(word: string): boolean {
  return word === "-" || word.startsWith("/dev/") || word.startsWith("/proc/")
}

// With these it only tells something.
const answering = /^(?:--version|--help|-V|-h)$/

/** Programs that run a file or a command with the packages of a project. */
const runners: ReadonlySet<string> = new Set("uv poetry pipenv hatch pdm rye npx bunx pnpx".split(" "))

const code = /^-[aclnpswWi0-9]*[eE]$|^--(?:eval|print)(?:=|$)/

const interpreters: ReadonlyMap<string, Interpreter> = new Map([
  ...named("bash sh dash ash zsh ksh mksh fish csh tcsh", {
    // A long option may have one dash only.
    text: /^-(?!rcfile$)[abefhiklmnprtuvxBCEHPTD]*c[abefhiklmnprtuvxBCEHPTD]*$/,
    input: /^-[abefhiklmnprtuvxBCEHPTD]*s[abefhiklmnprtuvxBCEHPTD]*$/,
    flags: /^[-+][abefhiklmnprtuvxBCEHPTD]+$/,
  }),
  ...named("source .", {}),
  ...named("python python2 python3", { text: /^-[bBdEiIOPqsSuvx]*[cm]/, flags: /^-[bBdEiIOPqsSuvx]+$/ }),
  ...named("node nodejs tsx ts-node", { text: /^-(?:e|p|pe)$|^--(?:eval|print|test)(?:=|$)/ }),
  ...named("perl ruby lua luajit Rscript julia tclsh elixir", { text: code }),
  ...named("php", { text: /^-[rRBE]$/ }),
  ...named("expect guile", { text: /^-c$/ }),
  ...named("deno bun", { verb: { short: true }, text: /^(?:-e|-p|--eval|--print)$/ }),
  ...named("go", { verb: { short: false } }),
  ...named("awk gawk mawk nawk sed gsed", { option: /^(?:-[a-zA-Z]*f|--file=?)(.*)$/s }),
])

function named(names: string, interpreter: Interpreter): readonly (readonly [string, Interpreter])[] {
  return names.split(" ").map((name) => [name, interpreter] as const)
}
