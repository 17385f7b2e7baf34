import { ToolError } from "@haft/contract"
import { describeDifference } from "../shared/similar/describe-difference.js"
import type { LineSource } from "../shared/text/lines.js"
import type { Text } from "../shared/text/open-text.js"
import { type Correction, correctEdit, placeOf } from "./correct-edit.js"
import { type Found, findMatches, type Wanted } from "./find-matches.js"
import { countedOccurrences } from "./find-occurrences.js"

const namedLines = 10
const shownRegionUnits = 8_192

/** The text occurs more than once: says how often and where. */
export function ambiguous(path: string, source: LineSource, { matches, normalised }: Found): ToolError {
  const lines = matches.slice(0, namedLines).map(({ start }) => source.lineFeedsBefore(start) + 1)
  const more = matches.length > namedLines ? " and more" : ""
  const count = matches.length >= countedOccurrences ? `at least ${countedOccurrences}` : String(matches.length)
  const how = normalised === undefined ? "" : ` when ${normalised} are disregarded`
  const where = `at ${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${more}`
  return new ToolError(
    "conflict",
    `Cannot edit "${path}": the text to replace occurs ${count} times${how}, ${where}; add surrounding lines or set replace_all`,
    { hint: "Add surrounding lines to old_string and new_string, or set replace_all", details: { lines } },
  )
}

/** The text does not occur: shows the nearest lines, what differs, and what to send instead where that is certain. */
export function notFound(path: string, text: Text, wanted: Wanted): ToolError {
  const { content } = text
  const stem = `Cannot edit "${path}": old_string does not occur in the file`
  if (content === "")
    return new ToolError("conflict", `${stem}, which is empty`, {
      hint: { say: "Fill it with {tool:write}" },
    })
  if (isEscapedOnceTooOften(content, wanted)) return escapedTwice(stem)
  const present = alreadyThere(content, wanted.newString)
  const place = placeOf(content, wanted.oldString)
  if (place === undefined) {
    return new ToolError("conflict", `${stem}, and nothing similar does${present}; read the file again`, {
      hint: "Read the file and copy the text to replace from it",
    })
  }
  const startLine = lineOf(content, place.start)
  const endLine = lineOf(content, Math.max(place.start, place.end - 1))
  const found = content.slice(place.start, place.end)
  const { summary, diff } = describeDifference(wanted.oldString, found, startLine)
  const where = startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`
  const others = place.others.slice(0, namedLines).map((start) => lineOf(content, start))
  const also =
    others.length === 0 ? "" : `, and as near at ${others.length === 1 ? "line" : "lines"} ${others.join(", ")}`
  const correction = correctEdit(text, place, wanted)
  const legend = "(- as sent, + as in the file)"
  return new ToolError(
    "conflict",
    `${stem}${present}; the nearest text is at ${where}${also}, ${summary} ${legend}:\n${diff}`,
    {
      hint: correction === undefined ? linesHint(others) : correctionHint(correction, where),
      details: {
        nearest: { start_line: startLine, end_line: endLine, text: wholeLinesUpTo(found, shownRegionUnits) },
        ...(correction !== undefined && { old_string: correction.oldString }),
        ...(correction?.newString !== undefined && { new_string: correction.newString }),
      },
    },
  )
}

/** Whether the text is there when \\n, \\t, \\" and the like are read as the characters that they mean in JSON. */
function isEscapedOnceTooOften(content: string, wanted: Wanted): boolean {
  const oldString = wanted.oldString.replace(/\\([nrt"'`\\])/g, (_, letter: string) => meanings[letter] ?? letter)
  return oldString !== wanted.oldString && findMatches(content, { ...wanted, oldString }) !== undefined
}

const meanings: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" }

function escapedTwice(stem: string): ToolError {
  return new ToolError("conflict", `${stem}; it does without the backslashes: the text was escaped once too often`, {
    hint: "Send line breaks, tabs and quotes themselves in old_string and new_string, not a backslash and a letter",
  })
}

/** The same for a file that is no text and has no regions to show. */
export function notFoundInBinary(path: string): ToolError {
  return new ToolError("conflict", `Cannot edit "${path}": the file is binary and does not hold old_string exactly`, {
    hint: "In a binary file only exact ASCII text can be replaced",
  })
}

function linesHint(others: readonly number[]): string {
  return others.length === 0
    ? "Send whole lines as they are in the file, in old_string and, where they stay, in new_string"
    : "Send whole lines as they are in the file, with a line around them that is there only once"
}

// A longer correction is in the details only: the model has the lines before its eyes.
const quotedCorrectionUnits = 2_000

/** A correction is quoted whole or not at all: half a text, sent back, would spoil the file. */
function correctionHint({ oldString, newString }: Correction, where: string): string {
  const texts = [oldString, ...(newString === undefined ? [] : [newString])].map((text) => JSON.stringify(text))
  if (texts.some((text) => text.length > quotedCorrectionUnits)) {
    const indented = newString === undefined ? "" : ", and new_string with the same indentation"
    return `If this is the text, send old_string as it is in the file at ${where}${indented}`
  }
  return `If this is the text, send old_string ${texts.join(" with new_string ")}`
}

function wholeLinesUpTo(text: string, units: number): string {
  if (text.length <= units) return text
  return text.slice(0, text.lastIndexOf("\n", units - 1) + 1 || units)
}

function alreadyThere(content: string, newString: string): string {
  if (newString.trim() === "") return ""
  const at = content.indexOf(newString)
  return at === -1 ? "" : `, but new_string does, at line ${lineOf(content, at)}`
}

function lineOf(content: string, place: number): number {
  let line = 1
  for (let at = content.indexOf("\n"); at !== -1 && at < place; at = content.indexOf("\n", at + 1)) line += 1
  return line
}
