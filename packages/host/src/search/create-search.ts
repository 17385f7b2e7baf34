import { isAbsolute, join } from "node:path"
import {
  type CallScope,
  type GlobFound,
  type GlobRequest,
  type GrepFound,
  type GrepRequest,
  type Search,
  ToolError,
} from "@haft/contract"
import { compileGlob, type GlobPattern } from "./compile-glob.js"
import { globIn } from "./glob-in.js"
import { grepIn } from "./grep-in.js"
import { locateRipgrep } from "./locate-ripgrep.js"
import type { HeldDirectory, SearchPlace } from "./search-place.js"

/** Where searches run and how they reach directories. */
export interface SearchOptions {
  /** The working directory: relative paths count from here. */
  readonly directory: string
  /** The path as shown to people and models. */
  display(path: string): string
  /**
   * Opens a directory, or the directory of a regular file, by the safe walk. Refuses what lies outside, whether it exists or
   * not; a missing path is `not_found`, with near names for a call, anything but a file or directory `unsupported`.
   */
  openDirectory(path: string, call?: CallScope): Promise<HeldDirectory>
  /** The ripgrep program; by default the one that comes with this package. */
  readonly program?: string
}

/** Makes the search port of a session; each call gets its own, bound to its grant. */
export function createSearch(options: SearchOptions): (call: CallScope) => Search {
  let program: string | undefined
  const findProgram = async () => {
    program ??= options.program ?? (await locateRipgrep())
    return program
  }
  return (call) => ({ grep: (request) => grep(request, call), glob: (request) => glob(request, call) })

  async function grep(request: GrepRequest, call: CallScope): Promise<GrepFound> {
    if (request.pattern.includes("\0")) {
      throw new ToolError("invalid_args", "Cannot search for a pattern with a NUL character; remove it")
    }
    if (request.pattern.length > maxPatternLength) {
      const reason = `it is longer than ${maxPatternLength} characters`
      throw new ToolError(
        "invalid_args",
        `Cannot search for "${request.pattern.slice(0, 100)}…": ${reason}; use a part of it`,
      )
    }
    const names = request.glob === undefined ? undefined : compileGlob(request.glob)
    const found = await searchFrom(request, { names, call }, (place) => grepIn(place, request, names))
    return found ?? { matches: [], fileCount: 0, ...nothing }
  }

  async function glob(request: GlobRequest, call: CallScope): Promise<GlobFound> {
    const names = compileGlob(request.pattern, { ignoreCase: request.ignoreCase ?? false })
    const found = await searchFrom(request, { names, call }, (place) => globIn(place, request, names))
    return found ?? { paths: [], total: 0, ...nothing }
  }

  /** Opens the place and works there; undefined when a folder that only the glob names does not exist. */
  async function searchFrom<Found>(
    request: { readonly path?: string; readonly timeoutMs: number },
    { names, call }: { readonly names: GlobPattern | undefined; readonly call: CallScope },
    work: (place: SearchPlace) => Promise<Found>,
  ): Promise<Found | undefined> {
    const startMs = Date.now()
    const stopAtMs = Math.min(startMs + request.timeoutMs, call.deadlineMs - answerMs)
    const held = await openPlace(request.path ?? ".", names?.prefix ?? "", call)
    if (held === undefined) return undefined
    try {
      call.observe({ kind: "fs.read", path: held.single === undefined ? held.path : join(held.path, held.single) })
      const { directory: workingDirectory, display } = options
      return await work({ program: await findProgram(), held, workingDirectory, call, startMs, stopAtMs, display })
    } finally {
      held.close()
    }
  }

  async function openPlace(path: string, prefix: string, call: CallScope): Promise<HeldDirectory | undefined> {
    if (prefix === "") return options.openDirectory(absolute(path), call)
    // The fixed beginning of a glob prunes the walk; a link there is followed, because the caller named it.
    const start = isAbsolute(prefix) ? prefix : join(path, prefix)
    const held = await options.openDirectory(absolute(start)).catch(ignoreMissing)
    if (held !== undefined && held.single === undefined) return held
    held?.close()
    if (!isAbsolute(prefix)) (await options.openDirectory(absolute(path), call)).close()
    return undefined
  }

  function absolute(path: string): string {
    return isAbsolute(path) ? path : join(options.directory, path)
  }
}

// Systems limit the length of an argument; no sensible pattern comes near.
const maxPatternLength = 16_384
// What is left of the deadline to put the answer together after ripgrep was stopped.
const answerMs = 100

const nothing = { complete: true, timedOut: false, skipped: { denied: 0, unreadable: 0 } }

function ignoreMissing(error: unknown): undefined {
  // A file where the pattern has a folder is `unsupported` on its way.
  if (ToolError.is(error) && (error.code === "not_found" || error.code === "unsupported")) return undefined
  throw error
}
