import { type StreamRun, streamRuns } from "@haft/contract"
import { type CleanOutput, cleanOutput } from "./clean-output.js"
import type { Streams } from "./fit-streams.js"

/** What a program printed. */
export interface Printed extends Streams<string> {
  readonly order?: readonly number[] | undefined
}

/** A piece of one stream. */
export interface StreamPart {
  readonly stream: StreamRun["stream"]
  readonly text: string
}

/** Stands where the other stream goes on. */
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
