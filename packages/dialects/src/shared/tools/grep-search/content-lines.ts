import type { GrepMatch } from "@haft/contract"

/** How lines are shown. */
export interface ContentLineOptions {
  readonly before: number
  readonly after: number
  /** Whether each line begins with its number, after its file. */
  readonly numbers: boolean
  readonly absolute: (path: string) => string
}

/** A line as it is shown, with the file that it is from. */
export interface ContentLine {
  readonly file: string
  readonly text: string
  /** False for a line that only stands around a match. */
  readonly matches: boolean
}

/** Each match with the lines around it, in order; a line that lies around two matches is there once. */
export function contentLines(matches: readonly GrepMatch[], options: ContentLineOptions): readonly ContentLine[] {
  const lines: ContentLine[] = []
  let file = ""
  let path: string | undefined
  let last = 0
  let matched = new Set<number>()
  const show = (line: number, text: string, matches = false) => {
    if (line <= last) return
    lines.push({ file, text: `${file}:${options.numbers ? `${line}:` : ""}${text}`, matches })
    last = line
  }
  for (const [index, match] of matches.entries()) {
    if (match.path !== path) {
      path = match.path
      file = options.absolute(path)
      last = 0
      matched = linesOfFile(matches, index)
    }
    const before = (match.before ?? []).slice(Math.max(0, (match.before ?? []).length - options.before))
    for (const [at, text] of before.entries()) {
      const line = match.line - before.length + at
      if (!matched.has(line)) show(line, text)
    }
    show(match.line, match.text, true)
    for (const [at, text] of (match.after ?? []).slice(0, options.after).entries()) {
      const line = match.line + 1 + at
      // A match that follows shows itself, so that its own text is never taken from a neighbour.
      if (matched.has(line)) break
      show(line, text)
    }
  }
  return lines
}

function linesOfFile(matches: readonly GrepMatch[], from: number): Set<number> {
  const lines = new Set<number>()
  for (let index = from; matches[index]?.path === matches[from]!.path; index += 1) lines.add(matches[index]!.line)
  return lines
}
