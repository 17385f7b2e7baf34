import { type Argument, quoted } from "../argument.js"
import type { Findings } from "../program/findings.js"
import { type ArgumentGrammar, hasOption, type ReadArguments, readArguments } from "../program/read-arguments.js"

/** What a wrapper runs: nothing when it only tells something. */
export interface Unwrapped {
  readonly words: readonly Argument[]
  /** Variables that it sets, as they are written. */
  readonly assignments?: readonly string[]
  /** The folder that it changes to. */
  readonly folder?: Argument
}

type Wrapper = (words: readonly Argument[], findings: Findings) => Unwrapped

/** Programs that run the command behind them unchanged, so that it is judged as if it stood alone. */
export const transparentWrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["env", env],
  ["timeout", after({ options: "v ks= --foreground --preserve-status --verbose --kill-after= --signal=" }, 1)],
  ["nice", after({ options: "n= --adjustment=", numbers: true })],
  ["ionice", after({ options: "t cn= --class= --classdata= --ignore" })],
  ["nohup", after({ options: "" })],
  ["setsid", after({ options: "cfw --ctty --fork --wait" })],
  ["stdbuf", after({ options: "ioe= --input= --output= --error=" })],
  ["time", after({ options: "apv f= o> --append --portability --verbose --format= --output>" })],
  ["command", after({ options: "pvV" }, 0, ["-v", "-V"])],
  ["builtin", after({ options: "" })],
  // Not here: -a and -l choose the name that the program sees, by which some programs decide what they are.
  ["exec", after({ options: "c" })],
  ["busybox", after({ options: "" })],
])

/** Names whose command the shell still looks up among its own words. */
export const shellWrappers: ReadonlySet<string> = new Set(["command", "builtin"])

/** The command stands behind the options and `skipped` further words; some options make the wrapper tell something instead. */
function after(grammar: ArgumentGrammar, skipped = 0, telling: readonly string[] = []): Wrapper {
  return (words, findings) => {
    const read = readArguments(words, { ...grammar, ordered: true, careful: true }, findings)
    if (hasOption(read, ...telling)) return nothing
    const [wildcard] = read.operands.slice(0, skipped).filter(({ kind }) => kind === "names")
    // It may find more names than one, and the second is the program.
    if (wildcard) findings.steered(`which program ${quoted(wildcard.text)} runs cannot be told before it runs`)
    return { words: read.operands.slice(skipped) }
  }
}

const nothing: Unwrapped = { words: [] }

function env(words: readonly Argument[], findings: Findings): Unwrapped {
  const given = words[0]?.text === "-" ? words.slice(1) : words
  // Not here: -S splits a text into words.
  const options = "i0v uC= --ignore-environment --null --debug --unset= --chdir="
  const read = readArguments(given, { options, ordered: true, careful: true }, findings)
  const command = read.operands.findIndex((word) => word.kind !== "literal" || !/^[^=]+=/.test(word.text))
  const end = command < 0 ? read.operands.length : command
  const assignments = read.operands.slice(0, end).map((word) => word.text)
  const folder = folderOf(read)
  return { words: read.operands.slice(end), assignments, ...(folder ? { folder } : {}) }
}

function folderOf({ options }: ReadArguments): Argument | undefined {
  const folder = options.get("-C") ?? options.get("--chdir")
  return folder === true ? undefined : folder
}
