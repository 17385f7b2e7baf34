import type { Destination } from "@haft/contract"
import type { GitContent } from "./program/git/git-content.js"
import type { Script } from "./script/script-of.js"

/** Where a command would run. */
export interface CommandContext {
  /** Absolute directory that it starts in. */
  readonly directory: string
  readonly home: string
  readonly roots: readonly string[]
  /** Where `cd path` leads from a folder; by default the two are joined and normalised, links not followed. */
  resolve?(path: string, from: string): string
}

/** A host that a command names, or a bundle such as `@npm` whose hosts the machine's configuration knows. */
export type HostName = Destination

/** One simple command of a line, and what it would do. Paths are as the command means them in its directory. */
export interface CommandPartAnalysis {
  /** The command as it is in the line. */
  readonly text: string
  /** Its words after quotes are removed; words that are not known stay as they are written. Wrappers are left out. */
  readonly argv: readonly string[]
  /** Assignments in front of it, as they are written. */
  readonly assignments: readonly string[]
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  readonly deletes: readonly string[]
  readonly hosts: readonly HostName[]
  /** Where it runs; the last known folder when that cannot be known, and the part is opaque then. */
  readonly directory: string
  /** Words whose value only the shell will know; wildcards are not among them. */
  readonly unresolved: readonly string[]
  /** True when more can happen than what is listed. */
  readonly opaque: boolean
  /** Why it is opaque. */
  readonly why?: string
  /** It runs code that is not followed here, or anything at all; what it surely runs has parts of its own. */
  readonly runs?: "code" | "anything"
  /** The place of the program that it runs among its words, for a runner such as `npx`: an allow must name it. */
  readonly program?: number
  /** Programs that were looked through to find this one, outermost first. */
  readonly wrappers: readonly string[]
  /** True when the program is known to change nothing; its redirections may. */
  readonly readOnly: boolean
  /** No assignments, redirections or unknown words: a command rule may match it. */
  readonly plain: boolean
  /** The words with the wrappers, one list for each wrapper that was looked through, outermost first. */
  readonly spellings?: readonly (readonly string[])[]
  /** A wrapper may do more than run the words behind it, so that an allow for these does not cover it. */
  readonly unclearWrappers?: true
  /** The same command without options that are in its way, `git push` for `git -C x push`: for deny and ask rules. */
  readonly readings?: readonly (readonly string[])[]
  /** The part of `reads` and `writes` that comes from redirections. */
  readonly redirected?: { readonly reads: readonly string[]; readonly writes: readonly string[] }
  /** What it can show of the content that git keeps, also of files that rules deny, and where git may run. */
  readonly gitContent?: GitContent & { readonly folders: readonly string[] }
  /** Folders of the repositories whose records it changes. */
  readonly repositories?: readonly string[]
  /** Parts with the same number hand their output on to the next. */
  readonly pipeline?: number
  /** The text in a file that the command runs. */
  readonly script?: Script
}

/** A whole line: every simple command in it, also those inside substitutions, loops and nested shells. */
export interface CommandAnalysis {
  /** The line as it was given. */
  readonly text: string
  readonly parts: readonly CommandPartAnalysis[]
  /** The script of the first part that has one. */
  readonly script?: Script
  /** False when the line could not be read to its end. */
  readonly parsed: boolean
}

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
