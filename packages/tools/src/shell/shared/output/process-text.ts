import { type Content, text } from "@haft/contract"
import { changesNotes } from "./changes.js"
import type { CleanOutput } from "./clean-output.js"
import type { CommandData } from "./command-data.js"
import { isolationNotes } from "./isolation.js"
import { printedText } from "./printed-text.js"

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
