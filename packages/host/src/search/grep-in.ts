import type { GrepFound, GrepMatch, GrepRequest } from "@haft/contract"
import type { SearchPlace } from "./search-place.js"
import { displayIn } from "./display-in.js"
import { findInOrder } from "./find-in-order.js"
import type { GlobPattern } from "./compile-glob.js"
import { type GivenUp, givenUpError, patternError } from "./pattern-error.js"
import { type FoundLine, GrepOutputReader } from "./grep-output-reader.js"
import { decodePath } from "./path-list-reader.js"
import { type Engine, fixedArguments, grepArguments, ignoreArguments, nameArguments } from "./ripgrep-arguments.js"
import { orderKey, SortedPrefix } from "./sorted-prefix.js"

/** Searches the contents of the files in one place. */
export async function grepIn(
  place: SearchPlace,
  request: GrepRequest,
  names: GlobPattern | undefined,
): Promise<GrepFound> {
  // A file that the caller names is searched whatever it is called.
  const glob = place.held.single === undefined ? names : undefined
  const linear = await run(place, request, { glob, engine: "default" })
  const end = needsBacktracking(linear) ? await run(place, request, { glob, engine: "pcre2" }) : linear
  if (end.found.failure !== undefined) throw givenUpError(request.pattern, end.found.failure)
  if (end.exitCode === 2 && end.complaints.length > 0) throw patternError(request.pattern, end.complaints)
  const { entries, complete, denied, unreadable } = end.found.content()
  return {
    matches: entries.flatMap(({ items }) => items),
    fileCount: entries.length,
    complete: complete && !end.timedOut,
    timedOut: end.timedOut,
    skipped: { denied, unreadable },
  }
}

interface RunOptions {
  readonly glob: GlobPattern | undefined
  readonly engine: Engine
}

function run(place: SearchPlace, request: GrepRequest, { glob, engine }: RunOptions) {
  const { held, call } = place
  return findInOrder({
    program: place.program,
    arguments: [
      ...fixedArguments,
      ...ignoreArguments(held.path, place.workingDirectory),
      ...nameArguments(glob),
      ...grepArguments({ ...request, engine }),
    ],
    target: `./${held.single ?? ""}`,
    isSingleFile: held.single !== undefined,
    cwd: held.cwd,
    signal: call.signal,
    stopAtMs: place.stopAtMs,
    begin: () => beginFinding(place, request, glob),
  })
}

/** Look-around and back-references: ripgrep refuses them before it looks at any file. */
function needsBacktracking({
  exitCode,
  complaints,
}: {
  readonly exitCode: number
  readonly complaints: readonly string[]
}): boolean {
  return exitCode === 2 && complaints.some((line) => line.includes("--pcre2"))
}

function beginFinding(place: SearchPlace, request: GrepRequest, glob: GlobPattern | undefined) {
  const { grant } = place.call
  const base = place.held.path.endsWith("/") ? place.held.path : `${place.held.path}/`
  const show = displayIn(place)
  const prefix = new SortedPrefix<GrepMatch>({ maxItems: request.maxMatches, maxBytes: maxTextBytes })
  const leaveOut = (key: string, kind: "denied" | "unreadable") =>
    prefix.add({ key, kind, items: [], bytes: key.length })
  const isWanted = (name: string) => glob === undefined || glob.matches(name)
  const isAdmitted = (name: string) => grant.admits("fs.read", base + name)
  let givenUp: GivenUp | undefined
  // The reader takes a file right after it was found to be wanted.
  let key = ""
  const reader = new GrepOutputReader({
    maxFileBytes: maxTextBytes,
    wants(path) {
      key = orderKey(path)
      if (!prefix.accepts(key)) return false
      const name = decodePath(path)
      if (!isWanted(name)) return false
      if (isAdmitted(name)) return true
      leaveOut(key, "denied")
      return false
    },
    take({ path, lines, bytes, cut }) {
      const items = matchesOf(lines, { path: show(decodePath(path)), contextLines: request.contextLines })
      prefix.add({ key, kind: "found", items, bytes, cut })
    },
  })
  return {
    progress: () => prefix.progress,
    push: (chunk: Buffer) => reader.push(chunk),
    end: () => reader.end(),
    unreadable: (path: string) => leaveOut(orderKey(Buffer.from(path).toString("latin1")), "unreadable"),
    givenUp: (name: string, reason: string) => {
      // A file that the caller may not see is not searched for the caller.
      if (isWanted(name) && isAdmitted(name)) givenUp ??= { path: show(name), reason }
    },
    get failure() {
      return givenUp
    },
    content: () => prefix.content(),
  }
}

// All text that a search keeps in memory, far above what any reader of it takes.
const maxTextBytes = 32 * 1024 * 1024

/** The matches among the lines of a file, each with the neighbours that were printed for it. */
function matchesOf(
  lines: readonly FoundLine[],
  { path, contextLines }: { readonly path: string; readonly contextLines: number },
): GrepMatch[] {
  // Without neighbours every line that ripgrep prints is a match.
  if (contextLines === 0) return lines.map(({ line, text }) => ({ path, line, text }))
  const matches: GrepMatch[] = []
  for (const [index, { line, text, isMatch }] of lines.entries()) {
    if (!isMatch) continue
    const near = (other: FoundLine) => Math.abs(other.line - line) <= contextLines
    const before = lines.slice(Math.max(0, index - contextLines), index).filter(near)
    const after = lines.slice(index + 1, index + 1 + contextLines).filter(near)
    matches.push({ path, line, text, before: before.map(textOf), after: after.map(textOf) })
  }
  return matches
}

function textOf({ text }: FoundLine): string {
  return text
}
