import type { CallPart, Effect, FileEffectKind, Head, Located } from "@haft/contract"
import type { CommandAnalysis, CommandPartAnalysis } from "./command-analysis.js"

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
  const place = part.recipe ? { directory: part.directory } : {}
  if (!whole) return [...openHeads(tool, part.text, knownWords(part)), ...strict()]
  const allowed = (words: readonly string[]) => {
    const program = words.length - part.argv.length + (part.program ?? 0)
    return heads(tool, words, program > 0 ? { ...place, program } : place)
  }
  if (part.assignments.length > 0 || part.unclearWrappers) return [...allowed(whole), ...strict()]
  return [...spelled.flatMap(allowed), ...strictHeads(tool, part.readings ?? [])]
}

/** The words as they are written, assignments included; undefined where they cannot be told. */
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
