import type { AskRequest, CommandPreview, Hunk } from "@haft/contract"
import { visible, visibleLine } from "@haft/guard"
import { reasonWords, type Say } from "@haft/language"
import { loadLineDiff } from "@haft/tools"
import { flow, fold, padded, wrap } from "./columns.js"
import { barred, type Canvas, filePreviewLines, hunkLines, keyWords, previewFacts } from "./preview-text.js"

// A screen full. What is longer says how much is left, and the details show all of it.
const maxLines = 12
const maxCharacters = 2000
const maxEffects = 8
const maxDiffLines = 20
const uncut = Number.POSITIVE_INFINITY

/** Everything that a person needs to answer, bounded so that it fits a screen. Nothing in it can steer the terminal. */
export function askText(request: AskRequest, canvas: Canvas, change: readonly Hunk[] = []): string {
  const { tool, title, directory, sessionId, preview = {} } = request
  const { style, width } = canvas
  const where = [style.say`in ${visibleLine(directory)}`, style.say`session ${visibleLine(sessionId)}`].map(style.dim)
  return [
    style.bold(style.say`Permission needed`),
    ...flow([`${style.bold(visibleLine(tool))}  ${visibleLine(title)}`, ...where], width),
    // What becomes of the files says all that the arguments say.
    ...(preview.files === undefined ? argumentLines(request.arguments, canvas) : []),
    ...filePreviewLines(preview, canvas, maxDiffLines),
    ...scriptLines(preview.command, canvas, change),
    ...factLines(request, canvas),
  ].join("\n")
}

/** All arguments, what they would change and the text that they run, whole. */
export function wholeQuestion({ arguments: values, preview = {} }: AskRequest, canvas: Canvas): string {
  const { script, formerScript } = preview.command ?? {}
  const shown = visible(JSON.stringify(values, null, 2)).split("\n")
  return [
    ...shown.flatMap((line) => fold(line, canvas.width)),
    ...filePreviewLines(preview, canvas),
    ...(script === undefined ? [] : [canvas.style.say`which runs`, ...barred(script, canvas)]),
    ...(formerScript == null ? [] : [canvas.style.say`which was allowed before as`, ...barred(formerScript, canvas)]),
  ].join("\n")
}

/** What became of the text that an earlier answer was for; empty where there is nothing to compare. */
export async function scriptChange({ preview }: AskRequest): Promise<readonly Hunk[]> {
  const { script, formerScript } = preview?.command ?? {}
  if (script === undefined || formerScript == null) return []
  // Of a long text the beginning was kept.
  const isCut = formerScript.endsWith(cutMark)
  const lineDiff = await loadLineDiff()
  const now = isCut ? script.slice(0, formerScript.length - cutMark.length) + cutMark : script
  return (await lineDiff(formerScript, now)).hunks
}

const cutMark = "\n…"

/** The text that a command runs, with what changed in it since an earlier answer. */
function scriptLines(
  { script, formerScript }: Partial<CommandPreview> = {},
  canvas: Canvas,
  change: readonly Hunk[],
): readonly string[] {
  const { say } = canvas.style
  const now = script === undefined ? [] : textLines(say`which runs`, script, canvas)
  if (formerScript === undefined) return now
  const title = script === undefined ? say`which was allowed before` : say`which changed since it was allowed`
  if (change.length > 0)
    return [...wrap(title, canvas.width - 2).map(indented), ...hunkLines(change, canvas, maxDiffLines), ...now]
  const why =
    formerScript === null ? say`its text of that time was not kept` : say`in what was not kept of the former text`
  const former =
    script === undefined && formerScript !== null
      ? textLines(title, formerScript, canvas)
      : wrap(`${title}: ${why}`, canvas.width - 2).map(indented)
  return [...former, ...now]
}

function factLines(request: AskRequest, canvas: Canvas): readonly string[] {
  const { tool, ladder, askedBefore, preview = {} } = request
  const effects = ladder.findings.filter(({ permission }) => permission !== tool)
  const shown = effects.slice(0, maxEffects).map(({ permission, subject }) => `${permission} ${visibleLine(subject)}`)
  const { say } = canvas.style
  const more = effects.length > maxEffects ? [keyWords(say`… ${effects.length - maxEffects} more`, "?", canvas)] : []
  return [
    ...fact(say`Why asked`, [visibleLine(whyAsked(request, say))], canvas),
    ...fact(say`Effects`, [...shown, ...more], canvas),
    ...previewFacts(preview, canvas.style).flatMap(([label, texts]) => fact(label, texts, canvas)),
    ...fact(say`Asked before`, askedBefore === undefined ? [] : [visibleLine(say(askedBefore))], canvas),
  ]
}

function whyAsked({ ladder }: AskRequest, say: Say): string {
  const rung = ladder.rungs.find(({ verdict }) => verdict === "ask")
  const source = rung?.source ? ` (${rung.source})` : ""
  return `${reasonWords(rung?.reason ?? ladder.reason, ladder, say)}${source}`
}

const labelWidth = 14
// Below this there is no room for words beside a label.
const narrow = 40

/** A label with words beside it, or below it where the terminal is narrow. */
function fact(label: string, texts: readonly string[], { style, width }: Canvas): readonly string[] {
  if (texts.length === 0) return []
  if (width < narrow) {
    return [`  ${style.bold(label)}`, ...texts.flatMap((text) => wrap(text, width - 4).map((line) => `    ${line}`))]
  }
  const lines = texts.flatMap((text) => wrap(text, width - labelWidth - 2))
  return lines.map(
    (line, index) => `  ${index === 0 ? style.bold(padded(label, labelWidth)) : " ".repeat(labelWidth)}${line}`,
  )
}

function argumentLines(values: Readonly<Record<string, unknown>>, canvas: Canvas): readonly string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    textLines(visibleLine(key), typeof value === "string" ? value : JSON.stringify(value), canvas),
  )
}

/** A text with its name: on one line where it has one, otherwise its beginning; nothing is left out without saying so. */
function textLines(name: string, text: string, canvas: Canvas): readonly string[] {
  const { say } = canvas.style
  const shown = text.split("\n", maxLines).join("\n").slice(0, maxCharacters)
  const left = text.length - shown.length
  const named = namedLines(name, shown, text, canvas)
  if (left === 0) return named
  const words =
    canvas.hasKeys === false
      ? say`… ${left} more characters are not shown`
      : say`… ${left} more characters are not shown: d shows all`
  return [...named, ...wrap(words, canvas.width - 2).map(indented)]
}

function namedLines(name: string, shown: string, whole: string, canvas: Canvas): readonly string[] {
  const { width } = canvas
  if (!whole.includes("\n")) {
    const line = `${name}: ${visibleLine(shown, uncut)}`
    return fold(line, width - 4).map((piece, index) => (index === 0 ? `  ${piece}` : `    ${piece}`))
  }
  return [
    ...fold(canvas.style.say`${name}: ${whole.split("\n").length} lines`, width - 2).map(indented),
    ...barred(shown, canvas),
  ]
}

function indented(line: string): string {
  return `  ${line}`
}
