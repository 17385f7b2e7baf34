import { archivePrograms } from "./family/archive-programs.js"
import { factPrograms } from "./family/fact-programs.js"
import { fileWriters } from "./family/file-writers.js"
import { interpreters } from "./family/interpreters.js"
import { listingPrograms } from "./family/listing-programs.js"
import { networkPrograms } from "./family/network-programs.js"
import { packageManagers } from "./family/package-managers.js"
import { textReaders } from "./family/text-readers.js"
import { type Argument, type Findings, literal, quoted, unknown } from "./findings.js"
import { git } from "./git/git.js"
import type { Program } from "./program.js"
import { type ArgumentGrammar, hasOption, type ReadArguments, readArguments, valuesOf } from "./read-arguments.js"

/** What is known about a program; undefined for every other, and for one that is not in a folder of the system. */
export function knownProgram(name: string): Program | undefined {
  const plain = programName(name)
  return plain === undefined ? undefined : programs.get(plain)
}

/** The name without its folder; undefined when the folder is not one where the system keeps its programs. */
export function programName(name: string): string | undefined {
  const slash = name.lastIndexOf("/")
  if (slash < 0) return name
  return systemFolders.has(name.slice(0, slash)) ? name.slice(slash + 1) : undefined
}

const systemFolders = new Set(["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"])

const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...Object.entries(interpreters),
  ...Object.entries(packageManagers),
  ...Object.entries(networkPrograms),
  ...Object.entries(archivePrograms),
  ...Object.entries(fileWriters),
  ...Object.entries(listingPrograms),
  ...Object.entries(textReaders),
  ...Object.entries(factPrograms),
  ["git", git],
])

/** A command without the wrappers in front of it. */
export interface LookedThrough {
  readonly words: readonly Argument[]
  readonly wrappers: readonly string[]
  /** The words at each wrapper, outermost first. */
  readonly spellings: readonly (readonly string[])[]
  readonly assignments: readonly string[]
  readonly folder: Argument | undefined
  /** The last wrapper runs nothing. */
  readonly ended: boolean
  /** A wrapper may run something else, as `env -S` does, or writes a file of its own. */
  readonly unclear: boolean
}

/** Looks through wrappers such as `timeout 5 nice git status`. */
export function lookThrough(words: readonly Argument[], findings: Findings): LookedThrough {
  const wrappers: string[] = []
  const spellings: (readonly string[])[] = []
  const assignments: string[] = []
  let folder: Argument | undefined
  let level = words
  for (;;) {
    const [first] = level
    const name = first?.kind === "literal" ? programName(first.text) : undefined
    const unwrap = name === undefined ? undefined : transparentWrappers.get(name)
    const unclear = wrappers.length > 0 && (findings.why !== undefined || findings.writes.length > 0)
    if (!unwrap) return { words: level, wrappers, spellings, assignments, folder, ended: false, unclear }
    if (wrappers.length >= maxWrappers) {
      findings.steered("too many programs run one another")
      return { words: level, wrappers, spellings, assignments, folder, ended: true, unclear }
    }
    const inner = unwrap(level.slice(1), findings)
    assignments.push(...(inner.assignments ?? []))
    folder = inner.folder ?? folder
    if (inner.words.length === 0)
      return { words: level, wrappers, spellings, assignments, folder, ended: true, unclear }
    wrappers.push(name!)
    spellings.push(level.map((word) => word.text))
    level = inner.words
  }
}

const maxWrappers = 8

/** What a wrapper runs: nothing when it only tells something. */
export interface Unwrapped {
  readonly words: readonly Argument[]
  /** Variables that it sets, as they are written. */
  readonly assignments?: readonly string[]
  /** The folder that it changes to. */
  readonly folder?: Argument
}

type Wrapper = (words: readonly Argument[], findings: Findings) => Unwrapped

/** Programs that run the command behind them unchanged, so that it is judged as if it was alone. */
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
  ["exec", exec],
  ["busybox", after({ options: "" })],
  ["toybox", after({ options: "" })],
  ["flock", flock],
  ["chrt", after({ options: "abdfGimopRrv DPT= --all-tasks --batch --fifo --idle --other --reset-on-fork --rr" }, 1)],
  ["taskset", after({ options: "a --all-tasks" }, 1)],
])

/** Names whose command the shell still looks up among its own words. */
export const shellWrappers: ReadonlySet<string> = new Set(["command", "builtin"])

/** The command is behind the options and `skipped` further words; some options make the wrapper tell something instead. */
function after(grammar: ArgumentGrammar, skipped = 0, telling: readonly string[] = []): Wrapper {
  return (words, findings) => {
    const read = readArguments(words, { ...grammar, ordered: true, careful: true }, findings)
    if (hasOption(read, ...telling)) return nothing
    const [wildcard] = read.operands.slice(0, skipped).filter(({ kind }) => kind === "names")
    // It may find more names than one, and the second is the program.
    if (wildcard) findings.steered(`which program ${quoted(wildcard.text)} runs cannot be known before it runs`)
    return { words: read.operands.slice(skipped) }
  }
}

const nothing: Unwrapped = { words: [] }

function env(words: readonly Argument[], findings: Findings): Unwrapped {
  const given = words[0]?.text === "-" ? words.slice(1) : words
  const options = "i0v uCS= --ignore-environment --null --debug --unset= --chdir= --split-string="
  const read = readArguments(given, { options, ordered: true, careful: true }, findings)
  const operands = [
    ...valuesOf(read, "-S", "--split-string").flatMap((text) => splitText(text, findings)),
    ...read.operands,
  ]
  const command = operands.findIndex((word) => word.kind !== "literal" || !/^[^=]+=/.test(word.text))
  const end = command < 0 ? operands.length : command
  const assignments = operands.slice(0, end).map((word) => word.text)
  const folder = folderOf(read)
  return { words: operands.slice(end), assignments, ...(folder ? { folder } : {}) }
}

/** `env -S` splits its text by rules of its own; plain words are the same for everybody. */
function splitText(text: Argument, findings: Findings): readonly Argument[] {
  if (text.kind === "literal" && /^[\w@%+=:,./ \t-]*$/.test(text.text)) {
    const words = text.text.split(/[ \t]+/).filter((word) => word !== "")
    // The first of them may be an option of env again.
    if (!words[0]?.startsWith("-")) return words.map(literal)
  }
  findings.steered(`which program ${quoted(text.text)} runs cannot be known before it runs`)
  return [unknown(text.text)]
}

/** `-a` chooses the name that the program sees, by which some decide what they are: the name counts as a program too. */
function exec(words: readonly Argument[], findings: Findings): Unwrapped {
  const read = readArguments(words, { options: "cl a=", ordered: true, careful: true }, findings)
  for (const name of valuesOf(read, "-a")) {
    findings.steered(`the program sees the name ${quoted(name.text)} instead of its own`)
    findings.readings.push([name, ...read.operands.slice(1)].map(({ text }) => text))
  }
  return { words: read.operands }
}

/** A command behind the file, or one text for a shell behind `-c`. */
function flock(words: readonly Argument[], findings: Findings): Unwrapped {
  const grammar = {
    options: "enosuvFx Ew= --close --nonblock --no-fork --exclusive --shared --timeout= --unlock --verbose",
  }
  const { operands } = readArguments(words, { ...grammar, ordered: true, careful: true }, findings)
  const [file, ...command] = operands
  if (file) findings.write(file)
  if (!/^(?:-c|--command)$/.test(command[0]?.text ?? "")) return { words: command }
  return { words: [literal("sh"), ...command] }
}

function folderOf({ options }: ReadArguments): Argument | undefined {
  const folder = options.get("-C") ?? options.get("--chdir")
  return folder === true ? undefined : folder
}
