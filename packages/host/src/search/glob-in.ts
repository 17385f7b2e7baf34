import { type GlobFound, type GlobRequest, ToolError } from "@haft/contract"
import type { SearchPlace } from "./search-place.js"
import { displayIn } from "./display-in.js"
import { findInOrder } from "./find-in-order.js"
import type { GlobPattern } from "./compile-glob.js"
import { decodePath, PathListReader } from "./path-list-reader.js"
import { fixedArguments, ignoreArguments, listArguments, nameArguments, skipArguments } from "./ripgrep-arguments.js"
import { orderKey, pathOfKey, SortedPrefix } from "./sorted-prefix.js"

/** Lists the files of one place whose paths match. */
export async function globIn(place: SearchPlace, request: GlobRequest, pattern: GlobPattern): Promise<GlobFound> {
  const { held, call } = place
  const base = held.path.endsWith("/") ? held.path : `${held.path}/`
  const prefix = new SortedPrefix<true>({ maxItems: request.maxPaths, maxBytes: maxPathBytes })
  const add = (key: string, kind: "found" | "denied" | "unreadable") =>
    prefix.add({ key, kind, items: kind === "found" ? one : none, bytes: key.length + entryBytes })

  const take = (path: string) => {
    const key = orderKey(path)
    if (!prefix.accepts(key)) return
    const name = decodePath(path)
    if (!pattern.matches(name)) return
    add(key, call.grant.admits("fs.read", base + name) ? "found" : "denied")
  }

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
    begin: () => {
      const reader = new PathListReader(take)
      return { push: (chunk) => reader.push(chunk), end: () => undefined }
    },
    progress: () => prefix.progress,
    unreadable: (path) => add(orderKey(Buffer.from(path).toString("latin1")), "unreadable"),
  })
  if (end.exitCode === 2 && end.complaints.length > 0) {
    throw new ToolError(
      "backend",
      `Cannot list "${request.pattern}": ripgrep says "${end.complaints.join(" ").slice(0, 300)}"`,
    )
  }
  const { entries, complete, denied, unreadable } = prefix.content()
  const show = displayIn(place)
  const isComplete = complete && !end.timedOut
  return {
    paths: entries.map(({ key }) => show(decodePath(pathOfKey(key)))),
    ...(isComplete ? { total: entries.length } : {}),
    complete: isComplete,
    timedOut: end.timedOut,
    skipped: { denied, unreadable },
  }
}

const one = [true] as const
const none = [] as const
const entryBytes = 64
// Bounds the memory of a list, also when a rule denies nearly everything in a very large tree.
const maxPathBytes = 32 * 1024 * 1024
