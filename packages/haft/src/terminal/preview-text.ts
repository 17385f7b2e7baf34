import type { AskPreview, CommandPreview, FilePreview, HostPreview, Hunk, SandboxProfile } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import { flow, fold, wrap } from "./columns.js"
import type { Style } from "./style.js"

/** How something is drawn: the colours, and the columns that there are. */
export interface Canvas {
  readonly style: Style
  readonly width: number
  /** False where no key shows more. */
  readonly hasKeys?: boolean
}

const uncut = Number.POSITIVE_INFINITY

/** How to see what is left out. */
export function keyWords(key: string, { hasKeys = true }: Canvas): string {
  return hasKeys ? `: ${key} shows all` : " are not shown"
}

/** What would become of files, with at most so many lines of diff; what is left out is said. */
export function filePreviewLines(
  { files = [], problem, missing }: AskPreview,
  canvas: Canvas,
  maxLines = uncut,
): readonly string[] {
  const lines: string[] = []
  let room = maxLines
  let left = 0
  for (const file of files) {
    const diff = file.hunks.flatMap(diffOf)
    const shown = diff.slice(0, room)
    room -= shown.length
    left += diff.length - shown.length + (file.linesLeftOut ?? 0)
    lines.push(...fileLines(file, canvas), ...shown.flatMap((line) => diffLines(line, canvas)))
  }
  if (left > 0)
    lines.push(
      ...said(`… ${left} more lines${maxLines === uncut ? " are too many to show" : keyWords("d", canvas)}`, canvas),
    )
  if (problem !== undefined) lines.push(...problemLines(problem, canvas))
  if (missing !== undefined)
    lines.push(...said(`What it would change cannot be shown: ${visibleLine(missing)}`, canvas))
  return lines
}

const maxProblemLines = 8

function problemLines(problem: string, canvas: Canvas): readonly string[] {
  const [first = "", ...rest] = problem.split("\n").slice(0, maxProblemLines)
  const shown = rest.length === 0 ? [] : barred(rest.join("\n"), canvas)
  return [...said(`It would fail now: ${visibleLine(first, 1000)}`, canvas), ...shown]
}

function said(text: string, { style, width }: Canvas): readonly string[] {
  return wrap(text, width - 2).map((line) => `  ${style.yellow(line)}`)
}

function fileLines(file: FilePreview, { style, width }: Canvas): readonly string[] {
  const { path, to, action, note } = file
  const name = to === undefined ? visibleLine(path, uncut) : `${visibleLine(path, uncut)} -> ${visibleLine(to, uncut)}`
  const facts = [sizes(file), counts(file), note === undefined ? "" : visibleLine(note)].filter((fact) => fact !== "")
  const cells = [`${style.bold(action)} ${name}`, ...facts.map(style.dim)]
  return flow(cells, width - 2).map((line) => `  ${line}`)
}

function sizes({ bytesBefore, bytesAfter }: FilePreview): string {
  if (bytesBefore === undefined) return bytesAfter === undefined ? "" : sizeWords(bytesAfter)
  if (bytesAfter === undefined || bytesAfter === bytesBefore) return sizeWords(bytesBefore)
  return `${sizeWords(bytesBefore)} -> ${sizeWords(bytesAfter)}`
}

function counts({ added, removed }: FilePreview): string {
  const words = [...(added > 0 ? [`${added} added`] : []), ...(removed > 0 ? [`${removed} removed`] : [])].join(", ")
  return words === "" ? "" : `${added + removed === 1 ? "1 line" : "lines"}: ${words}`
}

/** A size as people say it. */
function sizeWords(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`
  const [unit, factor] = bytes < 1e6 ? ["kB", 1e3] : bytes < 1e9 ? ["MB", 1e6] : ["GB", 1e9]
  return `${(bytes / (factor as number)).toFixed(1)} ${unit}`
}

function diffOf({ oldStart, newStart, newLines, lines }: Hunk): readonly string[] {
  return [`@@ line ${newLines === 0 ? oldStart : newStart}`, ...lines]
}

/** At most so many lines of a diff; what is left out is said. */
export function hunkLines(hunks: readonly Hunk[], canvas: Canvas, maxLines = uncut): readonly string[] {
  const diff = hunks.flatMap(diffOf)
  const left = diff.length - Math.min(diff.length, maxLines)
  const shown = diff.slice(0, maxLines).flatMap((line) => diffLines(line, canvas))
  return left > 0 ? [...shown, ...said(`… ${left} more lines: d shows all`, canvas)] : shown
}

function diffLines(line: string, { style, width }: Canvas): readonly string[] {
  const [sign = " "] = line
  const paint = { "+": style.green, "-": style.red, "@": style.dim, "\\": style.dim }[sign] ?? ((text: string) => text)
  return behindBar(fold(visibleLine(line, uncut), width - 4).map(paint))
}

/** The lines of a text behind a bar. */
export function barred(text: string, { width }: Canvas): readonly string[] {
  return text.split("\n").flatMap((line) => behindBar(fold(visibleLine(line, uncut), width - 4)))
}

/** A line that is wider than the terminal is one line: its rest follows another bar. */
function behindBar(pieces: readonly string[]): readonly string[] {
  return pieces.map((piece, index) => `  ${index === 0 ? "|" : ":"} ${piece}`)
}

const profileWords: Readonly<Record<SandboxProfile | "none", string>> = {
  "read-only": "the workspace can be read and not written",
  "workspace-write": "the workspace can be written",
  "workspace-write+net": "the workspace can be written",
  server: "the workspace can be written, and a server may listen",
  none: "none: it runs outside the sandbox",
}

/** What a preview says besides files, each with its name. */
export function previewFacts({ command, hosts = [] }: AskPreview): readonly (readonly [string, readonly string[]])[] {
  return [
    ...(command ? [["Sandbox", sandboxWords(command)] as const] : []),
    ...(hosts.length > 0 ? [["Goes to", hosts.map(hostWords)] as const] : []),
  ]
}

function hostWords({ host, port }: HostPreview): string {
  return visibleLine(port === undefined ? host : `${host}:${port}`)
}

function sandboxWords({ profile, hosts, protectedNames }: CommandPreview): readonly string[] {
  const network = hosts.length === 0 ? "no network" : `network: ${hosts.map((host) => visibleLine(host)).join(", ")}`
  return [
    profile === "none" ? profileWords.none : `${profileWords[profile]}, ${network}`,
    ...(protectedNames.length === 0
      ? []
      : [`may write ${protectedNames.map((name) => visibleLine(name)).join(", ")}, which other programs act on`]),
  ]
}
