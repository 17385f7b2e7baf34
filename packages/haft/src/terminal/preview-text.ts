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

/** What is left out, and how to see it. */
export function keyWords(left: string, key: string, { hasKeys = true, style: { say } }: Canvas): string {
  return hasKeys ? say`${left}: ${key} shows all` : say`${left} are not shown`
}

/** What would become of files, with at most so many lines of diff; what is left out is said. */
export function filePreviewLines(
  { files = [], problem, missing }: AskPreview,
  canvas: Canvas,
  maxLines = uncut,
): readonly string[] {
  const { say } = canvas.style
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
      ...said(
        maxLines === uncut
          ? say`… ${left} more lines are too many to show`
          : keyWords(say`… ${left} more lines`, "d", canvas),
        canvas,
      ),
    )
  if (problem !== undefined) lines.push(...problemLines(problem, canvas))
  if (missing !== undefined)
    lines.push(...said(say`What it would change cannot be shown: ${visibleLine(say(missing))}`, canvas))
  return lines
}

const maxProblemLines = 8

function problemLines(problem: string, canvas: Canvas): readonly string[] {
  const [first = "", ...rest] = problem.split("\n").slice(0, maxProblemLines)
  const shown = rest.length === 0 ? [] : barred(rest.join("\n"), canvas)
  return [...said(canvas.style.say`It would fail now: ${visibleLine(canvas.style.say(first), 1000)}`, canvas), ...shown]
}

function said(text: string, { style, width }: Canvas): readonly string[] {
  return wrap(text, width - 2).map((line) => `  ${style.yellow(line)}`)
}

function fileLines(file: FilePreview, { style, width }: Canvas): readonly string[] {
  const { path, to, action, note } = file
  const name = to === undefined ? visibleLine(path, uncut) : `${visibleLine(path, uncut)} -> ${visibleLine(to, uncut)}`
  const facts = [
    sizes(file, style),
    counts(file, style),
    note === undefined ? "" : visibleLine(style.say(note)),
  ].filter((fact) => fact !== "")
  const cells = [`${style.bold(action)} ${name}`, ...facts.map(style.dim)]
  return flow(cells, width - 2).map((line) => `  ${line}`)
}

function sizes({ bytesBefore, bytesAfter }: FilePreview, style: Style): string {
  if (bytesBefore === undefined) return bytesAfter === undefined ? "" : sizeWords(bytesAfter, style)
  if (bytesAfter === undefined || bytesAfter === bytesBefore) return sizeWords(bytesBefore, style)
  return `${sizeWords(bytesBefore, style)} -> ${sizeWords(bytesAfter, style)}`
}

function counts({ added, removed }: FilePreview, { say }: Style): string {
  const words = [...(added > 0 ? [say`${added} added`] : []), ...(removed > 0 ? [say`${removed} removed`] : [])].join(
    ", ",
  )
  return words === "" ? "" : added + removed === 1 ? say`1 line: ${words}` : say`lines: ${words}`
}

/** A size as people say it. */
function sizeWords(bytes: number, { say }: Style): string {
  if (bytes < 1000) return bytes === 1 ? say`1 byte` : say`${bytes} bytes`
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
  return left > 0 ? [...shown, ...said(keyWords(canvas.style.say`… ${left} more lines`, "d", canvas), canvas)] : shown
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

function profileWords(profile: SandboxProfile | "none", { say }: Style): string {
  switch (profile) {
    case "read-only":
      return say`the workspace can be read and not written`
    case "workspace-write":
    case "workspace-write+net":
      return say`the workspace can be written`
    case "server":
      return say`the workspace can be written, and a server may listen`
    case "none":
      return say`none: it runs outside the sandbox`
  }
}

/** What a preview says besides files, each with its name. */
export function previewFacts(
  { command, hosts = [] }: AskPreview,
  style: Style,
): readonly (readonly [string, readonly string[]])[] {
  return [
    ...(command ? [[style.say`Sandbox`, sandboxWords(command, style)] as const] : []),
    ...(hosts.length > 0 ? [[style.say`Goes to`, hosts.map(hostWords)] as const] : []),
  ]
}

function hostWords({ host, port }: HostPreview): string {
  return visibleLine(port === undefined ? host : `${host}:${port}`)
}

function sandboxWords({ profile, hosts, protectedNames }: CommandPreview, style: Style): readonly string[] {
  const { say } = style
  const network =
    hosts.length === 0 ? say`no network` : say`network: ${hosts.map((host) => visibleLine(host)).join(", ")}`
  return [
    profile === "none" ? profileWords(profile, style) : say`${profileWords(profile, style)}, ${network}`,
    ...(protectedNames.length === 0
      ? []
      : [say`may write ${protectedNames.map((name) => visibleLine(name)).join(", ")}, which other programs act on`]),
  ]
}
