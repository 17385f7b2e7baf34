import { type Content, text } from "@haft/contract"
import { changesNotes } from "./changes.js"
import type { CommandData } from "./command-data.js"
import { isolationNotes } from "./isolation.js"

/** What is needed to word the end of a process; a part of what a command's output has. */
type ProcessEnd = Pick<CommandData, "stdout" | "stderr" | "exit_code" | "timed_out" | "isolation"> &
  Partial<Pick<CommandData, "signal" | "changes" | "refused" | "ended_processes" | "survivors">>

/** Standard output, then standard error under its name, then one line with all that is not as it should be. */
export function processText(end: ProcessEnd, timeoutMs: number): readonly Content[] {
  const notes = [
    ...(end.timed_out ? [`timed out after ${timeoutMs} ms`] : exitNotes(end)),
    ...leftNotes(end),
    ...isolationNotes(end.isolation),
    ...refusedNotes(end),
    ...changesNotes(end.changes),
  ]
  const streams = [
    ...(end.stdout === "" ? [] : [withoutLastBreak(end.stdout)]),
    ...(end.stderr === "" ? [] : [`[stderr]\n${withoutLastBreak(end.stderr)}`]),
  ]
  const shown = streams.length === 0 ? ["[No output]"] : streams
  return [text([...shown, ...(notes.length === 0 ? [] : [`[${notes.join("; ")}]`])].join("\n"))]
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

function withoutLastBreak(value: string): string {
  return value.replace(/\r?\n$/, "")
}
