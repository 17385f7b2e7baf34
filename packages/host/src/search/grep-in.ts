import type { GrepFound, GrepMatch, GrepRequest } from "@haft/contract"
import type { GlobPattern } from "./compile-glob.js"
import { changedEntries, confirmLeftOut } from "./confirm.js"
import { findInOrder } from "./find-in-order.js"
import { decodePath, type FoundLine, GrepOutputReader } from "./grep-output-reader.js"
import { type GivenUp, givenUpError, patternError } from "./pattern-error.js"
import { type Engine, fixedArguments, grepArguments, ignoreArguments, nameArguments } from "./ripgrep-program.js"
import { searchInPlace } from "./search-in-place.js"
import type { SearchPlace } from "./search-place.js"
import { type Entry, orderKey, type PrefixContent, pathOfKey, SortedPrefix } from "./sorted-prefix.js"

/** Searches the contents of the files in one place. */
export async function grepIn(
  place: SearchPlace,
  request: GrepRequest,
  names: GlobPattern | undefined,
): Promise<GrepFound> {
  // A file that the caller names is searched whatever it is called.
  const glob = place.held.single === undefined ? names : undefined
  const linear = await run(place, request, { glob, engine: "default" })
  const engine = needsBacktracking(linear) ? "pcre2" : "default"
  const end = engine === "pcre2" ? await run(place, request, { glob, engine }) : linear
  const { failure } = end.found
  const isFailed = failure !== undefined && (await confirmLeftOut(place, [failure])).changed === 0
  if (isFailed) throw givenUpError(request.pattern, failure)
  if (end.exitCode === 2 && end.complaints.length > 0) throw patternError(request.pattern, end.complaints)
  const content = end.found.content()
  const { changed, ...skipped } = await confirmLeftOut(place, content.leftOut)
  const found = await confirmFound(place, { content, search: { ...request, engine } })
  const timedOut = end.timedOut || found.timedOut
  const lost = changed + found.changed + (failure === undefined ? 0 : 1)
  return {
    matches: found.entries.flatMap(({ items }) => items),
    fileCount: found.entries.length,
    complete: found.complete && !timedOut,
    timedOut,
    skipped: { ...skipped, ...(lost > 0 && { changed: lost }) },
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
  const { show } = place
  const prefix = new SortedPrefix<GrepMatch>({ maxItems: request.maxMatches, maxBytes: maxTextBytes })
  const leaveOut = (key: string, kind: "denied" | "unreadable") =>
    prefix.add({ key, kind, items: [], bytes: key.length })
  const isWanted = (name: string) => glob === undefined || glob.matches(name)
  const isAdmitted = (name: string) => grant.admits("fs.read", base + name)
  let givenUp: (GivenUp & Pick<Entry<never>, "key" | "kind">) | undefined
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
    unreadable: (name: string) => leaveOut(keyOf(name), "unreadable"),
    givenUp: (name: string, reason: string) => {
      // A file that the caller may not see is not searched for the caller.
      if (isWanted(name) && isAdmitted(name)) givenUp ??= { path: show(name), reason, key: keyOf(name), kind: "found" }
    },
    get failure() {
      return givenUp
    },
    content: () => prefix.content(),
  }
}

function keyOf(name: string): string {
  return orderKey(Buffer.from(name).toString("latin1"))
}

interface FoundContent {
  readonly content: PrefixContent<GrepMatch>
  readonly search: GrepRequest & { readonly engine: Engine }
}

/** Replaces what was found in files that may have been swapped meanwhile by what a search of the real files finds. */
async function confirmFound(place: SearchPlace, { content, search }: FoundContent) {
  const doubtful = new Set(await changedEntries(place, content.entries))
  if (doubtful.size === 0) return { ...content, changed: 0, timedOut: false }
  const { show } = place
  const prefix = new SortedPrefix<GrepMatch>({ maxItems: search.maxMatches, maxBytes: maxTextBytes })
  for (const entry of content.entries) if (!doubtful.has(entry)) prefix.add(entry)
  let confirmed = 0
  const { timedOut } = await searchInPlace(place, {
    entries: [...doubtful],
    arguments: grepArguments(search),
    maxFileBytes: maxTextBytes,
    take({ key }, { lines, bytes, cut }) {
      confirmed += 1
      const items = matchesOf(lines, { path: show(decodePath(pathOfKey(key))), contextLines: search.contextLines })
      prefix.add({ key, kind: "found", items, bytes, cut })
    },
  })
  const { entries, complete } = prefix.content()
  return { entries, complete: complete && content.complete, changed: doubtful.size - confirmed, timedOut }
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
