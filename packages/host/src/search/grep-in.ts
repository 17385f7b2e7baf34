import type { GrepFound, GrepMatch, GrepRequest } from "@haft/contract"
import type { SearchPlace } from "./search-place.js"
import { displayIn } from "./display-in.js"
import { findInOrder } from "./find-in-order.js"
import type { GlobPattern } from "./compile-glob.js"
import { patternError } from "./pattern-error.js"
import { type FoundFile, type FoundLine, GrepOutputReader } from "./grep-output-reader.js"
import { decodePath } from "./path-list-reader.js"
import { fixedArguments, grepArguments, ignoreArguments, nameArguments } from "./ripgrep-arguments.js"
import { orderKey, pathOfKey, SortedPrefix } from "./sorted-prefix.js"

/** Searches the contents of the files in one place. */
export async function grepIn(
  place: SearchPlace,
  request: GrepRequest,
  names: GlobPattern | undefined,
): Promise<GrepFound> {
  const { held, call } = place
  const base = held.path.endsWith("/") ? held.path : `${held.path}/`
  // A file that the caller names is searched whatever it is called.
  const glob = held.single === undefined ? names : undefined
  const prefix = new SortedPrefix<Omit<GrepMatch, "path">>({ maxItems: request.maxMatches, maxBytes: maxTextBytes })
  const leaveOut = (path: string, kind: "denied" | "unreadable") =>
    prefix.add({ key: orderKey(path), kind, items: [], bytes: path.length })

  const wants = (path: string): boolean => {
    if (!prefix.accepts(orderKey(path))) return false
    const name = decodePath(path)
    if (glob !== undefined && !glob.matches(name)) return false
    if (call.grant.admits("fs.read", base + name)) return true
    leaveOut(path, "denied")
    return false
  }
  const take = (file: FoundFile) => {
    const items = matchesOf(file.lines, request.contextLines)
    prefix.add({ key: orderKey(file.path), kind: "found", items, bytes: file.bytes, cut: file.cut })
  }

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
    begin: () => new GrepOutputReader({ maxFileBytes: maxTextBytes, wants, take }),
    progress: () => prefix.progress,
    unreadable: (path) => leaveOut(Buffer.from(path).toString("latin1"), "unreadable"),
  })
  const { entries, complete, denied, unreadable } = prefix.content()
  if (end.exitCode === 2 && end.complaints.length > 0) throw patternError(request.pattern, end.complaints)
  const show = displayIn(place)
  return {
    matches: entries.flatMap(({ key, items }) => {
      const path = show(decodePath(pathOfKey(key)))
      return items.map((item) => ({ path, ...item }))
    }),
    fileCount: entries.length,
    complete: complete && !end.timedOut,
    timedOut: end.timedOut,
    skipped: { denied, unreadable },
  }
}

// All text that a search keeps in memory, far above what any reader of it takes.
const maxTextBytes = 32 * 1024 * 1024

/** The matches among the lines of a file, each with the neighbours that were printed for it. */
function matchesOf(lines: readonly FoundLine[], contextLines: number): Omit<GrepMatch, "path">[] {
  const matches: Omit<GrepMatch, "path">[] = []
  for (const [index, { line, text, isMatch }] of lines.entries()) {
    if (!isMatch) continue
    if (contextLines === 0) matches.push({ line, text })
    else {
      const near = (other: FoundLine) => Math.abs(other.line - line) <= contextLines
      const before = lines.slice(Math.max(0, index - contextLines), index).filter(near)
      const after = lines.slice(index + 1, index + 1 + contextLines).filter(near)
      matches.push({ line, text, before: before.map(textOf), after: after.map(textOf) })
    }
  }
  return matches
}

function textOf({ text }: FoundLine): string {
  return text
}
