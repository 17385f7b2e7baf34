import { ToolError } from "@haft/contract"
import type { LineSource } from "../shared/text/line-source.js"
import type { Text } from "../shared/text/open-text.js"
import { correctOldString } from "./correct-old-string.js"
import { describeDifference } from "../shared/similar/describe-difference.js"
import type { Found, Wanted } from "./find-matches.js"
import { countedOccurrences } from "./find-occurrences.js"
import { nearestRegion } from "../shared/similar/nearest-region.js"

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

/** The text does not occur: shows the nearest region, what differs, and what to send instead. */
export function notFound(path: string, text: Text, wanted: Wanted): ToolError {
  const { content } = text
  const stem = `Cannot edit "${path}": old_string does not occur in the file`
  if (content === "") return new ToolError("conflict", `${stem}, which is empty`, { hint: "Fill it with write" })
  const present = alreadyThere(content, wanted.newString)
  const region = nearestRegion(content, wanted.oldString)
  if (region === undefined) {
    return new ToolError("conflict", `${stem}, and nothing similar does${present}; read the file again`, {
      hint: "Read the file and copy the text to replace from it",
    })
  }
  const startLine = lineOf(content, region.start)
  const endLine = lineOf(content, Math.max(region.start, region.end - 1))
  const found = content.slice(region.start, region.end)
  const { summary, diff } = describeDifference(wanted.oldString, found, startLine)
  const correction = correctOldString(text, region, wanted.newString)
  const where = startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`
  const legend = "(- as sent, + as in the file)"
  return new ToolError(
    "conflict",
    `${stem}${present}; the nearest text is at ${where}, ${summary} ${legend}:\n${diff}`,
    {
      hint: correction === undefined ? "Read these lines again" : correctionHint(correction),
      details: {
        nearest: { start_line: startLine, end_line: endLine, text: found.slice(0, shownRegionUnits) },
        ...(correction !== undefined && { old_string: correction.oldString }),
        ...(correction?.newString !== undefined && { new_string: correction.newString }),
      },
    },
  )
}

/** The same for a file that is no text and has no regions to show. */
export function notFoundInBinary(path: string): ToolError {
  return new ToolError("conflict", `Cannot edit "${path}": the file is binary and does not hold old_string exactly`, {
    hint: "In a binary file only exact ASCII text can be replaced",
  })
}

// A correction that is longer stands in the details only: the model has the region before its eyes.
const quotedCorrectionUnits = 2_000

function correctionHint({ oldString, newString }: { oldString: string; newString?: string | undefined }): string {
  const quoted = JSON.stringify(oldString)
  const send =
    quoted.length <= quotedCorrectionUnits
      ? `If this is the text, send old_string ${quoted}`
      : "If this is the text, send old_string as it stands in the file"
  return newString === undefined
    ? send
    : `${send} with new_string ${JSON.stringify(newString).slice(0, quotedCorrectionUnits)}; lines are added around it, because it occurs more than once`
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
