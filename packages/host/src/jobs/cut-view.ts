import { wholeEnd, wholeStart } from "../process/whole-characters.js"

/** Bytes of a job's output from a cursor on. */
export interface Cut {
  /** Text of the part that is shown. */
  readonly text: string
  /** Bytes of the part, also of lines that a filter left out: the cursor moves on by so many. */
  readonly length: number
}

/** How to cut. */
export interface CutOptions {
  readonly maxBytes: number
  /** Keeps lines that contain it. */
  readonly filter: string | undefined
  /** More may come: a character or, with a filter, a line that has not ended yet waits for the next look. */
  readonly running: boolean
}

/** The part to show now: whole characters, and with a filter whole lines. */
export function cutView(bytes: Buffer, { maxBytes, filter, running }: CutOptions): Cut {
  const full = bytes.length > maxBytes
  const limited = full ? bytes.subarray(0, maxBytes) : bytes
  const open = running || full
  if (filter === undefined || filter === "") {
    const length = open ? wholeEnd(limited) : limited.length
    return { text: limited.toString("utf8", wholeStart(limited), length), length }
  }
  const lastBreak = limited.lastIndexOf(10) + 1
  // A line that is longer than a whole view is shown in parts rather than never.
  const length = !open || (full && lastBreak === 0) ? limited.length : lastBreak
  const lines = limited.toString("utf8", wholeStart(limited), length).split("\n")
  const kept = lines.filter((line) => line.includes(filter))
  return { text: kept.map((line) => `${line}\n`).join(""), length }
}
