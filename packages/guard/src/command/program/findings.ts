import type { HostName } from "../command-analysis.js"
import type { GitContent } from "./git/git-content.js"

/** A command that another one runs: words, or a text for a shell. */
export type NestedCommand =
  | { readonly kind: "words"; readonly words: readonly Argument[] }
  | {
      readonly kind: "script"
      readonly text: string
      readonly shell: "bash" | "sh"
      /** `$1` and so on; empty when none are known. */
      readonly positional: readonly Argument[]
    }

/** What a command reads from: a text that is in the line, a file, or something that is not known. */
export type Input = { readonly kind: "text"; readonly text: string } | { readonly kind: "file" | "unknown" }

/** What is found out about one simple command while its words are read. */
export class Findings {
  readonly reads: string[] = []
  readonly writes: string[] = []
  readonly deletes: string[] = []
  readonly hosts: HostName[] = []
  readonly nested: NestedCommand[] = []
  /** The command without options that are between the program and its command. */
  readonly readings: (readonly string[])[] = []
  /** Why more can happen than what is listed; the first reason counts. */
  why: string | undefined
  readOnly = true
  gitContent: GitContent | undefined
  /** Where git runs, seen from the folder of the command. */
  gitFolder = "."
  /** Words that are not understood, or that could be an option, decide what it runs or writes. */
  steerable = false
  /** What it runs besides the commands in `nested`. */
  runs: "nothing" | "code" | "anything" = "nothing"
  input: Input = { kind: "unknown" }
  /** Where the words behind the program's name begin to name another program, for a runner such as `npx`. */
  program: number | undefined
  changesRepository = false
  /** A folder of the repository whose records change. */
  repository: string | undefined

  /** More can happen than what is listed here. */
  opaque(why: string): void {
    this.why ??= why
    this.readOnly = false
  }

  /** It runs code that is not followed here: that of an interpreter, of a build, of a program that is not known. */
  runsCode(why: string): void {
    if (this.runs === "nothing") this.runs = "code"
    this.opaque(why)
  }

  /** Words that are not understood, or a text that is not known, decide which programs it runs. */
  steered(why: string): void {
    this.steerable = true
    this.runs = "anything"
    this.opaque(why)
  }

  /** Records of the repository change, and more can happen than what is listed. */
  repositoryChange(why: string): void {
    this.changesRepository = true
    this.opaque(why)
  }

  /** A file that is read; `-` is standard input. */
  read(file: Argument): void {
    if (file.kind === "names") this.reads.push(file.base)
    else if (file.kind === "unknown") this.opaque(`which file ${quoted(file.text)} is cannot be known before it runs`)
    else if (file.kind === "literal" && file.text !== "-" && file.text !== "" && !isStream(file.text)) {
      this.reads.push(file.text)
    }
  }

  /** A file or folder that is written or made. */
  write(file: Argument): void {
    this.readOnly = false
    this.change(file, this.writes)
  }

  /** A file or folder that is removed with all that is in it. */
  delete(file: Argument): void {
    this.readOnly = false
    this.change(file, this.deletes)
  }

  /** A host that is talked to. */
  host(host: HostName): void {
    this.readOnly = false
    this.hosts.push(host)
  }

  private change(file: Argument, list: string[]): void {
    if (file.kind === "names") {
      list.push(file.base)
      this.opaque(`which files ${quoted(file.text)} names cannot be known before it runs`)
    } else if (file.kind === "unknown") this.opaque(`which file ${quoted(file.text)} is cannot be known before it runs`)
    else if (file.kind === "literal" && file.text !== "" && !isStream(file.text)) list.push(file.text)
  }
}

/** Whether a path is a stream of the process itself or a device that keeps nothing. */
function isStream(path: string): boolean {
  return path.startsWith("/dev/") && streams.test(path)
}

const streams = /^\/dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/\d+)$/

/**
 * A word of a command as far as it can be known before it runs: its text; names that a wildcard will find below
 * `base`; a pipe to a process substitution; or something only the shell will know.
 */
export type Argument =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "names"; readonly text: string; readonly base: string; readonly loose: boolean }
  | { readonly kind: "pipe"; readonly text: string }
  | { readonly kind: "unknown"; readonly text: string; readonly shape: UnknownShape }

/** What is known of an unknown word: nothing, that it is one word, or that it is one word and no option. */
export type UnknownShape = "any" | "one word" | "no option"

/** A word that is known. */
export function literal(text: string): Argument {
  return { kind: "literal", text }
}

/** A word that is not known. */
export function unknown(text: string, shape: UnknownShape = "any"): Argument {
  return { kind: "unknown", text, shape }
}

/** Names that a wildcard finds. `loose` when such a name could begin with a dash and pass for an option. */
export function names(text: string, fixed: string): Argument {
  const slash = fixed.lastIndexOf("/")
  const base = slash < 0 ? "." : slash === 0 ? "/" : fixed.slice(0, slash)
  return { kind: "names", text, base, loose: fixed === "" || fixed.startsWith("-") }
}

/** Whether all that is known of a word leaves open that it is an option. */
export function mayBeOption(argument: Argument): boolean {
  switch (argument.kind) {
    case "literal":
      return argument.text.length > 1 && argument.text.startsWith("-")
    case "names":
      return argument.loose
    case "pipe":
      return false
    case "unknown":
      return argument.shape !== "no option"
  }
}

/** A word for a message: in quotes, unless it brings its own. */
export function quoted(text: string): string {
  return /^["'$`]/.test(text) ? text : `"${text}"`
}
