import type { CallPart, Effect, FileEffectKind, Head, Located } from "@haft/contract"
import { joinPath } from "../path.js"
import type { CommandAnalysis, CommandPartAnalysis } from "./command-analysis.js"
import type { GitContent } from "./program/git/git-content.js"

/** Finds where a path leads when it is used in a folder. */
export type LocatePath = (path: string, from: string) => Promise<Located>

/** The parts of a call that runs an analysed line, ready to be judged: one for each command, one for its redirections. */
export async function commandParts(
  tool: string,
  analysis: CommandAnalysis,
  locate: LocatePath,
): Promise<readonly CallPart[]> {
  const parts = await Promise.all(analysis.parts.map((part) => callParts({ tool, part, line: analysis.text }, locate)))
  return parts.flat()
}

/** The commands of a line for the capability check; one that cannot be known appears as its text, which only `*` covers. */
export function commandsOf({ parts }: CommandAnalysis): readonly (readonly string[])[] {
  return parts.flatMap(({ argv, text, opaque }) => (argv.length > 0 ? [argv] : opaque ? [[text]] : []))
}

/** One command of a line that a tool runs. */
interface PartOfLine {
  readonly tool: string
  readonly part: CommandPartAnalysis
  readonly line: string
}

async function callParts({ tool, part, line }: PartOfLine, locate: LocatePath): Promise<readonly CallPart[]> {
  const { text, directory, redirected = nothing } = part
  const place = (kind: FileEffectKind, paths: readonly string[]) =>
    Promise.all(paths.map(async (path): Promise<Effect> => ({ kind, at: await locate(path, directory) })))
  const files = await Promise.all([
    place("fs.read", without(part.reads, redirected.reads)),
    place("fs.write", without(part.writes, redirected.writes)),
    place("fs.delete", part.deletes),
  ])
  const effects = [...files.flat(), ...part.hosts.map((host) => ({ kind: "net.fetch", ...host }) as const)]
  const { opaque } = part
  const harmless = !opaque && part.readOnly && effects.length === 0
  const command: CallPart = {
    label: text,
    heads: headsOf(tool, part),
    effects,
    opaque,
    ...(part.runs === undefined ? {} : { runs: part.runs === "code" ? { what: "code", text: line } : anything }),
    ...(harmless ? { harmless } : {}),
  }
  if (!part.redirected) return [command]
  const streams = await Promise.all([place("fs.read", redirected.reads), place("fs.write", redirected.writes)])
  const redirections: CallPart = {
    label: `the redirections of ${text}`,
    heads: openHeads(tool, text),
    effects: streams.flat(),
    opaque: false,
  }
  return part.argv.length === 0 && !opaque ? [redirections] : [command, redirections]
}

const nothing = { reads: [], writes: [] }
const anything = { what: "anything" } as const

/**
 * What rules are compared with. A command with assignments in front or words that are not known is never the plain
 * command: an allow for that does not cover it, while a deny for it still holds.
 */
function headsOf(tool: string, part: CommandPartAnalysis): readonly Head[] {
  const spelled = [...(part.spellings ?? []), part.argv].filter((words) => words.length > 0)
  const strict = () => strictHeads(tool, [...spelled, ...(part.readings ?? [])])
  const whole = wholeCommand(part)
  const place = part.script ? { directory: part.directory } : {}
  if (!whole) return [...openHeads(tool, part.text, knownWords(part)), ...strict()]
  const allowed = (words: readonly string[]) => {
    const program = words.length - part.argv.length + (part.program ?? 0)
    return heads(tool, words, program > 0 ? { ...place, program } : place)
  }
  if (part.assignments.length > 0 || part.unclearWrappers) return [...allowed(whole), ...strict()]
  return [...spelled.flatMap(allowed), ...strictHeads(tool, part.readings ?? [])]
}

/** The words as they are written, assignments included; undefined where they cannot be known. */
function wholeCommand({
  argv,
  assignments,
  unresolved,
  spellings,
}: CommandPartAnalysis): readonly string[] | undefined {
  if (argv.length === 0 || unresolved.length > 0) return undefined
  if (!assignments.every((assignment) => plainAssignment.test(assignment))) return undefined
  const [spelled = argv] = spellings ?? []
  // `env A=1 program` already shows its assignments among its words.
  return [...assignments.filter((assignment) => !spelled.includes(assignment)), ...spelled]
}

const plainAssignment = /^[A-Za-z_]\w*=[\w@%+=:,./-]*$/

interface Place {
  readonly directory?: string
  readonly program?: number
}

function heads(tool: string, argv: readonly string[], place: Place = {}): readonly Head[] {
  const subject = { kind: "command", argv, ...place } as const
  return [
    { permission: tool, subject },
    { permission: "shell.run", subject },
  ]
}

function strictHeads(tool: string, readings: readonly (readonly string[])[]): readonly Head[] {
  return readings.flatMap((words) => heads(tool, words).map((head): Head => ({ ...head, strictOnly: true })))
}

/** The words up to the first whose value only the shell will know. */
function knownWords({ argv, unresolved }: CommandPartAnalysis): readonly string[] {
  const end = argv.findIndex((word) => unresolved.includes(word))
  return end < 0 ? argv : argv.slice(0, end)
}

/** Only rules about every command match. */
function openHeads(tool: string, text: string, begins: readonly string[] = []): readonly Head[] {
  const subject = { kind: "command", argv: [], text, ...(begins.length > 0 ? { begins } : {}) } as const
  return [
    { permission: tool, subject },
    { permission: "shell.run", subject },
  ]
}

/** What a list holds besides the entries of another, each taken out once. */
function without(paths: readonly string[], others: readonly string[]): readonly string[] {
  if (others.length === 0) return paths
  const left = [...paths]
  for (const path of others) {
    const at = left.lastIndexOf(path)
    if (at >= 0) left.splice(at, 1)
  }
  return left
}

/** What a line can show of the content that git keeps, and the folders in which git is asked about it. */
export type PrintedHistory = GitContent & { readonly folders: readonly string[] }

/**
 * What the commands of a line can print from repositories. Revisions are resolved before the line runs: where another
 * command of it moves HEAD, the index or a branch, they mean something else by then, and anything can be printed.
 */
export function printedHistory({ parts }: CommandAnalysis): readonly PrintedHistory[] {
  const moves = parts.some(movesRevisions)
  const printed = parts.flatMap(({ gitContent }) => {
    if (!gitContent) return []
    return moves && gitContent.shows !== "files"
      ? [{ shows: "everything", folders: gitContent.folders } as const]
      : [gitContent]
  })
  return [...printed, ...parts.flatMap(readObjects), ...(parts.length > 1 ? parts.flatMap(unpackedStash) : [])]
}

// They add to the history what is in the work tree, where masks hide what is denied; or change no commit at all.
const steady = new Set(
  "add stage apply commit rm mv gc prune clean init clone fetch push format-patch config".split(" "),
)

function movesRevisions(part: CommandPartAnalysis): boolean {
  if (part.writes.some((path) => `/${path}`.includes("/.git/"))) return true
  const [command, ...words] = gitWords(part) ?? []
  if (command === undefined || part.readOnly || part.gitContent || steady.has(command)) return false
  return command !== "stash" || unpacks(words)
}

/** The words behind `git` and its own options; undefined for another program. */
function gitWords({ argv, readings = [] }: CommandPartAnalysis): readonly string[] | undefined {
  const reading = readings.at(-1) ?? argv
  return /(?:^|\/)git$/.test(reading[0] ?? "") ? reading.slice(1) : undefined
}

function unpacks(words: readonly string[]): boolean {
  return words.some((word) => /^(?:apply|pop|branch)$/.test(word))
}

/** A file that comes out of the stash while a line runs is behind no mask for the commands after it. */
function unpackedStash(part: CommandPartAnalysis): readonly PrintedHistory[] {
  const [command, ...words] = gitWords(part) ?? []
  if (command !== "stash" || !unpacks(words)) return []
  const folders = (part.repositories ?? ["."]).map((folder) => joinPath(part.directory, folder))
  const options = ["--walk-reflogs", "--ignore-missing", "refs/stash"]
  return [{ shows: "commits", options, words: [], paths: [], folders }]
}

/** The files in which git keeps objects are no secret to a program that can unpack them. */
function readObjects({ reads, argv, directory }: CommandPartAnalysis): readonly PrintedHistory[] {
  // What a wildcard finds counts as a read of the folder in front of it; the pattern itself is among the words.
  const paths = reads.length === 0 ? [] : [...reads, ...argv.filter((word) => word.includes(".git/"))]
  const folders = paths.flatMap((path) => objectFile.exec(joinPath(directory, path))?.[1] ?? [])
  return folders.length === 0 ? [] : [{ shows: "everything", folders: [...new Set(folders)] }]
}

// A wildcard may mean the folder's name.
const objectFile = /^(.*?)\/\.git\/(?:objects|modules|lfs|[^/]*[*?[][^/]*)\/./
