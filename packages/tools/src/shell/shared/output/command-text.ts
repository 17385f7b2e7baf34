import { type Content, type StreamRun, streamRuns, text } from "@haft/contract"
import { type CleanOutput, cleanOutput } from "./clean-output.js"
import type { ChangesData, CommandData, IsolationData, Streams } from "./command-data.js"

/** What is needed to word the end of a process; a part of what a command's output has. */
type ProcessEnd = Pick<CommandData, "stdout" | "stderr" | "exit_code" | "timed_out" | "isolation"> &
  Partial<Pick<CommandData, "order" | "signal" | "changes" | "refused" | "ended_processes" | "survivors">>

/** What was printed, then one line with all that is not as it should be. */
export function processText(end: ProcessEnd, timeoutMs: number): readonly Content[] {
  const printed = printedText(end)
  const notes = [
    ...(end.timed_out ? [`timed out after ${timeoutMs} ms`] : exitNotes(end)),
    ...leftNotes(end),
    ...isolationNotes(end.isolation),
    ...refusedNotes(end),
    ...changesNotes(end.changes),
    ...concealedNotes(printed),
  ]
  return wordedOutput(printed, notes)
}

/** The output first, because it may be shortened; notes never are. */
export function wordedOutput({ text: printed }: CleanOutput, notes: readonly string[]): readonly Content[] {
  return [text(printed || "[No output]"), ...(notes.length === 0 ? [] : [text(`[${notes.join("; ")}]`)])]
}

/** What to say about text that a person at a terminal would not see. */
export function concealedNotes({ concealed }: CleanOutput): readonly string[] {
  return concealed ? ["some of this text is hidden on a terminal (ESC[8m)"] : []
}

/** What the sandbox did not hold; nothing when it held everything. Folders that are never scanned are not listed each time. */
function isolationNotes({ level, backend, notes }: IsolationData): readonly string[] {
  if (level === "none") return [["ran outside the sandbox", ...notes].join(": ")]
  return notes.length === 0 ? [] : [`sandbox ${backend}: ${notes.join("; ")}`]
}

/** What the model should know about changes: those of a command that could change anything, and those that nobody expected. */
function changesNotes(changes: ChangesData): readonly string[] {
  if (changes === undefined) return []
  const { written, deleted, left_out = 0 } = changes
  const foreseen = changes.foreseeable ?? true
  return [
    ...(foreseen || written.length === 0 ? [] : [`changed: ${summed(written, left_out)}`]),
    ...(foreseen || deleted.length === 0 ? [] : [`deleted: ${summed(deleted, 0)}`]),
    ...(changes.unexpected.length > 0 ? [`changed unexpectedly: ${listed(changes.unexpected)}`] : []),
    ...(changes.protected_created.length > 0 ? [`created protected names: ${listed(changes.protected_created)}`] : []),
    ...(changes.note === undefined ? [] : [changes.note]),
  ]
}

/** A few names, with installed packages as one of them: after an installation there are thousands. */
function summed(names: readonly string[], leftOut: number): string {
  const packages = names.filter((name) => /(^|\/)node_modules(\/|$)/.test(name))
  const others = names.filter((name) => !packages.includes(name))
  const of =
    packages.length === 1 ? packages : packages.length === 0 ? [] : [`node_modules (${packages.length} packages)`]
  return listed([...others, ...of], { most: 5, more: leftOut })
}

// So many paths show what happened; the data has more.
const maxShown = 10

function listed(names: readonly string[], { most = maxShown, more = 0 } = {}): string {
  // A name may hold line breaks, which would look like further lines.
  const shown = names.slice(0, most).map((name) => (/[\n\r;]/.test(name) ? JSON.stringify(name) : name))
  const rest = names.length - shown.length + more
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ")
}

function exitNotes({ exit_code, signal }: ProcessEnd): readonly string[] {
  if (exit_code === 0) return []
  if (exit_code !== null) return [`exit code ${exit_code}`]
  return [signal === undefined ? "ended without an exit code" : `ended by ${signal}`]
}

function leftNotes({ ended_processes, survivors = [] }: ProcessEnd): readonly string[] {
  return [
    ...(ended_processes === undefined ? [] : [`${counted(ended_processes)} left in the background ended with it`]),
    ...(survivors.length === 0 ? [] : [`${counted(survivors.length)} could not be ended: ${survivors.join(", ")}`]),
  ]
}

// So many tell what it was after; the data has all. A name that a command made up may hold line breaks.
const maxRefused = 3

function refusedNotes({ refused = [] }: ProcessEnd): readonly string[] {
  const rest = refused.length - maxRefused
  return [
    ...refused.slice(0, maxRefused).map((one) => `refused ${/[\0-\x1f\x7f]/.test(one) ? JSON.stringify(one) : one}`),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ]
}

function counted(count: number): string {
  return `${count} ${count === 1 ? "process" : "processes"}`
}

/** What a program printed. */
export interface Printed extends Streams<string> {
  readonly order?: readonly number[] | undefined
}

/** A piece of one stream. */
export interface StreamPart {
  readonly stream: StreamRun["stream"]
  readonly text: string
}

/** Marks where the other stream goes on. */
export const streamMarks = { stdout: "[stdout]", stderr: "[stderr]" } as const

/** Both streams as they were read and as a terminal would show them, each change marked; stdout needs no mark at the beginning. */
export function printedText(printed: Printed): CleanOutput {
  let concealed = false
  const parts: StreamPart[] = []
  for (const { stream, text } of streamParts(printed)) {
    const shown = cleanOutput(text)
    concealed ||= shown.concealed
    const last = parts.at(-1)
    if (shown.text === "") continue
    if (last?.stream === stream) parts[parts.length - 1] = { stream, text: last.text + shown.text }
    else parts.push({ stream, text: shown.text })
  }
  const texts = parts.map(({ stream, text }, index) => {
    const mark = index === 0 && stream === "stdout" ? "" : `${streamMarks[stream]}\n`
    return mark + text.replace(/\n$/, "")
  })
  return { text: texts.join("\n"), concealed }
}

/** The pieces in the order in which they were read; those of a stream make the stream. */
export function streamParts({ stdout, stderr, order }: Printed): readonly StreamPart[] {
  const texts = { stdout, stderr }
  const runs = streamRuns(order && fits(order, texts) ? order : [stdout.length, stderr.length])
  const read = { stdout: 0, stderr: 0 }
  const shown = { stdout: 0, stderr: 0 }
  return runs.map(({ stream, length }) => {
    read[stream] += length
    const piece = texts[stream].slice(shown[stream], read[stream])
    const isLast = read[stream] === texts[stream].length
    const text = isLast ? piece : piece.slice(0, piece.length - openSequence(piece))
    shown[stream] += text.length
    return { stream, text }
  })
}

/** An order that does not fit the texts, for instance because they were cut later, says nothing. */
function fits(order: readonly number[], { stdout, stderr }: Streams<string>): boolean {
  const sums = [0, 0]
  for (const [index, length] of order.entries()) sums[index % 2]! += length
  return sums[0] === stdout.length && sums[1] === stderr.length
}

/** How many characters at the end belong to a control sequence that goes on in the next piece of the stream. */
function openSequence(text: string): number {
  return /\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*|[ #%()*+\-./])?$/.exec(text.slice(-maxSequence))?.[0].length ?? 0
}

// Longer ones are hardly cut by the other stream, and are text then.
const maxSequence = 256

/** How long the text of an output may be that a model reads: head and tail of a log are what is looked at. */
export const textLimit = { maxCharacters: 32_000, marks: Object.values(streamMarks) } as const

/** How much a command may print into its result; the port keeps the whole in a file. */
export const outputLimit = {
  unit: "bytes",
  max: 200_000,
  past: "sidecar",
  fields: ["stdout", "stderr"],
  keep: "head-and-tail",
  text: textLimit,
} as const
