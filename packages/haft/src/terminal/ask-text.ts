import type { AskRequest } from "@haft/contract"
import { columns } from "./columns.js"
import type { Style } from "./style.js"
import { visible, visibleLine } from "./visible.js"

// A screen full. What is longer says how much is left, and the details show all of it.
const maxLines = 12
const maxCharacters = 2000
const uncut = Number.POSITIVE_INFINITY

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

/** A text with its name: on one line where it has one, otherwise its beginning; nothing is left out without saying so. */
function textLines(name: string, text: string): readonly string[] {
  const shown = text.split("\n", maxLines).join("\n").slice(0, maxCharacters)
  const left = text.length - shown.length
  return [
    ...namedLines(name, shown, text),
    ...(left > 0 ? [`  … ${left} more characters are not shown: d shows all`] : []),
  ]
}

function namedLines(name: string, shown: string, whole: string): readonly string[] {
  if (!whole.includes("\n")) return [`  ${name}: ${visibleLine(shown, uncut)}`]
  return [`  ${name}: ${whole.split("\n").length} lines`, ...barred(shown)]
}

function barred(text: string): readonly string[] {
  return text.split("\n").map((line) => `  | ${visibleLine(line, uncut)}`)
}

/** All arguments and the text that they run, whole. */
export function wholeQuestion({ arguments: values, recipe }: AskRequest): string {
  const shown = visible(JSON.stringify(values, null, 2))
  return recipe === undefined ? shown : [shown, "which runs", ...barred(recipe)].join("\n")
}
