import { visible } from "@haft/guard"
import { type Style, styleFor } from "../terminal/style.js"
import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"

/** Prints one value: as JSON where that was asked for, else the words that `human` makes of it. */
export function printValue(invocation: Invocation, io: Io, value: unknown, human: (style: Style) => string): void {
  if (invocation.json || invocation.ndjson) {
    // On a terminal people read it; a program gets one line.
    io.stdout.write(`${JSON.stringify(value, null, io.stdout.isTTY && !invocation.ndjson ? 2 : 0)}\n`)
  } else printText(io, human(outStyle(invocation, io)))
}

/** Prints a list: as one JSON array, as one row a line, or as words. */
export function printRows(
  invocation: Invocation,
  io: Io,
  rows: readonly unknown[],
  human: (style: Style) => string,
): void {
  if (invocation.ndjson) for (const row of rows) io.stdout.write(`${JSON.stringify(row)}\n`)
  else printValue(invocation, io, rows, human)
}

/** Prints text that may come from anywhere: bytes as they are for a program, made harmless for a terminal. */
export function printText(io: Io, text: string): void {
  const shown = io.stdout.isTTY ? harmless(text) : text
  if (shown !== "") io.stdout.write(shown.endsWith("\n") ? shown : `${shown}\n`)
}

/** A note for people beside the data, in English; it is said in their language. */
export function note(invocation: Invocation, io: Io, text: string): void {
  if (!invocation.quiet) io.stderr.write(`${visible(invocation.say(text))}\n`)
}

/** The style of standard output. */
export function outStyle(invocation: Invocation, io: Io): Style {
  return styleFor(io.stdout, io.env, invocation)
}

// Our own colours pass, everything else that steers a terminal is written out.
function harmless(text: string): string {
  return text
    .split(/(\u001b\[\d{1,2}m)/)
    .map((piece, index) => (index % 2 === 1 ? piece : visible(piece)))
    .join("")
}
