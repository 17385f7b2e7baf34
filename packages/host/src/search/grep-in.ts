import type { GrepFound, GrepMatch, GrepRequest } from "@haft/contract"
import type { SearchPlace } from "./search-place.js"
import { displayIn } from "./display-in.js"
import { findInOrder } from "./find-in-order.js"
import type { GlobPattern } from "./compile-glob.js"
import { patternError } from "./pattern-error.js"
import { type FoundLine, GrepOutputReader } from "./grep-output-reader.js"
import { decodePath } from "./path-list-reader.js"
import { fixedArguments, grepArguments, ignoreArguments, nameArguments } from "./ripgrep-arguments.js"
import { orderKey, SortedPrefix } from "./sorted-prefix.js"

/** Searches the contents of the files in one place. */
export async function grepIn(
  place: SearchPlace,
  request: GrepRequest,
  names: GlobPattern | undefined,
): Promise<GrepFound> {
  const { held, call } = place
  // A file that the caller names is searched whatever it is called.
  const glob = held.single === undefined ? names : undefined
  const end = await findInOrder({
    program: place.program,
    arguments: [
      ...fixedArguments,
      ...ignoreArguments(held.path, place.workingDirectory),
      ...nameArguments(glob),
      ...grepArguments(request),
    ],
    target: `./${held.single ?? ""}`,
    isSingleFile: held.single !== undefined,
    cwd: held.cwd,
    signal: call.signal,
    stopAtMs: place.stopAtMs,
    begin: () => beginFinding(place, request, glob),
  })
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

function beginFinding(place: SearchPlace, request: GrepRequest, glob: GlobPattern | undefined) {
  const { grant } = place.call
  const base = place.held.path.endsWith("/") ? place.held.path : `${place.held.path}/`
  const show = displayIn(place)
  const prefix = new SortedPrefix<GrepMatch>({ maxItems: request.maxMatches, maxBytes: maxTextBytes })
  const leaveOut = (key: string, kind: "denied" | "unreadable") =>
    prefix.add({ key, kind, items: [], bytes: key.length })
  // The reader takes a file right after it was found to be wanted.
  let key = ""
  const reader = new GrepOutputReader({
    maxFileBytes: maxTextBytes,
    wants(path) {
      key = orderKey(path)
      if (!prefix.accepts(key)) return false
      const name = decodePath(path)
      if (glob !== undefined && !glob.matches(name)) return false
      if (grant.admits("fs.read", base + name)) return true
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
