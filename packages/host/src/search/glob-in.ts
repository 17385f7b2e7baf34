import { setImmediate } from "node:timers/promises"
import { type GlobFound, type GlobRequest, ToolError } from "@haft/contract"
import type { GlobPattern } from "./compile-glob.js"
import { changedEntries, confirmLeftOut, entriesInPlace, LeftFolders } from "./confirm.js"
import { findInOrder } from "./find-in-order.js"
import { decodePath, PathListReader } from "./grep-output-reader.js"
import { fixedArguments, ignoreArguments, listArguments, nameArguments, skipArguments } from "./ripgrep-program.js"
import type { SearchPlace } from "./search-place.js"
import { orderKey, SortedPrefix } from "./sorted-prefix.js"

/** Lists the files of one place whose paths match. */
export async function globIn(place: SearchPlace, request: GlobRequest, pattern: GlobPattern): Promise<GlobFound> {
  const { held, call } = place
  const end = await findInOrder({
    program: place.program,
    arguments: [
      ...fixedArguments,
      ...ignoreArguments(held.path, place.workingDirectory),
      ...nameArguments(pattern),
      ...skipArguments(request.skipFolders),
      ...listArguments,
    ],
    target: `./${held.single ?? ""}`,
    isSingleFile: held.single !== undefined,
    cwd: held.cwd,
    signal: call.signal,
    stopAtMs: place.stopAtMs,
    begin: (isSorted) => beginFinding(place, request, pattern, isSorted),
  })
  if (end.exitCode === 2 && end.complaints.length > 0) {
    throw new ToolError(
      "backend",
      `Cannot list "${request.pattern}": ripgrep says "${end.complaints.join(" ").slice(0, 300)}"`,
    )
  }
  const { entries, leftOut, complete } = end.found.content()
  const { changed, ...skipped } = await confirmLeftOut(place, leftOut)
  const doubtful = end.found.isAtRest() ? [] : await changedEntries(place, entries)
  const inPlace = await entriesInPlace(place, doubtful)
  const gone = new Set(doubtful.filter((entry) => !inPlace.has(entry)))
  const kept = gone.size === 0 ? entries : entries.filter((entry) => !gone.has(entry))
  const lost = changed + gone.size
  // Thousands of paths are checked by the caller; ordering them was enough for one turn of the loop.
  await setImmediate()
  const timedOut = end.timedOut || (gone.size > 0 && Date.now() >= place.stopAtMs)
  const isComplete = complete && !timedOut
  return {
    paths: kept.map(({ items }) => items[0]!),
    ...(isComplete ? { total: kept.length } : {}),
    complete: isComplete,
    timedOut,
    skipped: { ...skipped, ...(lost > 0 && { changed: lost }) },
  }
}

function beginFinding(place: SearchPlace, request: GlobRequest, pattern: GlobPattern, isSorted: boolean) {
  const { grant } = place.call
  const base = place.held.path.endsWith("/") ? place.held.path : `${place.held.path}/`
  const { show } = place
  const prefix = new SortedPrefix<string>({ maxItems: request.maxPaths, maxBytes: maxPathBytes })
  // Only what comes in order leaves a folder for good.
  const left = isSorted ? new LeftFolders(place) : undefined
  const reader = new PathListReader((path) => {
    const key = orderKey(path)
    if (!prefix.accepts(key)) return
    const name = decodePath(path)
    if (!pattern.matches(name)) return
    if (!grant.admits("fs.read", base + name)) return leaveOut(key, "denied")
    left?.goOn(key)
    // Both the key and the path are kept.
    prefix.add({ key, kind: "found", items: [show(name)], bytes: 2 * key.length + entryBytes })
  })
  const leaveOut = (key: string, kind: "denied" | "unreadable") =>
    prefix.add({ key, kind, items: [], bytes: key.length + entryBytes })
  return {
    progress: () => prefix.progress,
    push: (chunk: Buffer) => reader.push(chunk),
    end: () => undefined,
    givenUp: () => undefined,
    unreadable: (path: string) => leaveOut(orderKey(Buffer.from(path).toString("latin1")), "unreadable"),
    content: () => prefix.content(),
    isAtRest: () => left?.end() ?? false,
  }
}

const entryBytes = 64
// Bounds the memory of a list, also when a rule denies nearly everything in a very large tree.
const maxPathBytes = 32 * 1024 * 1024
