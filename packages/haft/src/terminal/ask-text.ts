import type { AskRequest } from "@haft/contract"
import { columns } from "./columns.js"
import type { Style } from "./style.js"
import { visible, visibleLine } from "./visible.js"

// Enough to recognise a content; the rest is in the details.
const previewLines = 12

/** Everything that a person needs to answer, bounded so that it fits a screen. Nothing in it can steer the terminal. */
export function askText(request: AskRequest, style: Style): string {
  const { tool, title, directory, sessionId, ladder } = request
  const effects = ladder.findings.filter(({ permission }) => permission !== tool)
  const facts = [
    ["  Why asked", visibleLine(whyAsked(request))],
    ...effects.map(({ permission, subject }) => ["  Effect", `${permission} ${visibleLine(subject)}`]),
    ...(request.askedBefore ? [["  Asked before", visibleLine(request.askedBefore)]] : []),
  ]
  return [
    style.bold("Permission needed") + style.dim(`  session ${visibleLine(sessionId)}`),
    `${style.bold(visibleLine(tool))}  ${visibleLine(title)}${style.dim(`  in ${visibleLine(directory)}`)}`,
    ...argumentLines(request.arguments),
    ...(request.recipe === undefined ? [] : textLines("which runs", request.recipe)),
    columns(facts),
  ].join("\n")
}

function whyAsked({ ladder }: AskRequest): string {
  const rung = ladder.rungs.find(({ verdict }) => verdict === "ask")
  const source = rung?.source ? ` (${rung.source})` : ""
  return `${rung?.reason ?? ladder.reason}${source}`
}

function argumentLines(values: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    textLines(visibleLine(key), typeof value === "string" ? value : JSON.stringify(value)),
  )
}

/** A text with its name: on one line where it has one, otherwise its beginning. */
function textLines(name: string, text: string): readonly string[] {
  if (!text.includes("\n")) return [`  ${name}: ${visibleLine(text)}`]
  const lines = text.split("\n")
  const shown = lines.slice(0, previewLines).map((line) => `  | ${visibleLine(line)}`)
  const more = lines.length - shown.length
  return [`  ${name}: ${lines.length} lines`, ...shown, ...(more > 0 ? [`  | … ${more} more`] : [])]
}

/** All arguments, whole. */
export function wholeArguments(request: AskRequest): string {
  return visible(JSON.stringify(request.arguments, null, 2))
}
