import { isAbsolute, join } from "node:path"
import {
  type CallScope,
  type GlobFound,
  type GlobRequest,
  type GrepFound,
  type GrepRequest,
  isInside,
  type Search,
  ToolError,
} from "@haft/contract"
import { compileGlob, type GlobPattern } from "./compile-glob.js"
import { globIn } from "./glob-in.js"
import { grepIn } from "./grep-in.js"
import { locateRipgrep } from "./ripgrep-program.js"
import type { HeldDirectory, SearchPlace } from "./search-place.js"

/** Where searches run and how they reach directories. */
export interface SearchOptions {
  /** The working directory: relative paths count from here. */
  readonly directory: string
  /** The path as shown to people and models. */
  display(path: string): string
  /**
   * Opens a directory, or the directory of a regular file, by the safe walk. Refuses what is outside, whether it exists or
   * not; a missing path is `not_found`, with near names for a call, anything but a file or directory `unsupported`.
   */
  openDirectory(path: string, call?: CallScope): Promise<HeldDirectory>
  /** The ripgrep program; by default the one that comes with this package. */
  readonly program?: string
}

/** Makes the search port of a session; each call gets its own, bound to its grant. */
export function createSearch(options: SearchOptions): (call: CallScope) => Search {
  const searches = new Searches(options)
  return (call) => ({
    grep: (request) => searches.grep(request, call),
    glob: (request) => searches.glob(request, call),
  })
}

class Searches {
  private readonly options: SearchOptions
  private program: string | undefined

  constructor(options: SearchOptions) {
    this.options = options
    this.program = options.program
  }

  async grep(request: GrepRequest, call: CallScope): Promise<GrepFound> {
    refusePattern(request.pattern)
    const names = request.glob === undefined ? undefined : compileGlob(request.glob)
    const found = await this.searchFrom(request, { names, call }, (place) => grepIn(place, request, names))
    return found ?? { matches: [], fileCount: 0, ...nothing }
  }

  async glob(request: GlobRequest, call: CallScope): Promise<GlobFound> {
    const names = compileGlob(request.pattern, { ignoreCase: request.ignoreCase ?? false })
    const found = await this.searchFrom(request, { names, call }, (place) => globIn(place, request, names))
    return found ?? { paths: [], total: 0, ...nothing }
  }

  /** Opens the place and works there; undefined when a folder that only the glob names does not exist. */
  private async searchFrom<Found>(
    request: { readonly path?: string; readonly timeoutMs: number },
    { names, call }: { readonly names: GlobPattern | undefined; readonly call: CallScope },
    work: (place: SearchPlace) => Promise<Found>,
  ): Promise<Found | undefined> {
    const startMs = Date.now()
    const stopAtMs = Math.min(startMs + request.timeoutMs, call.deadlineMs - answerMs)
    const held = await this.openPlace(request.path ?? ".", names?.prefix ?? "", call)
    if (held === undefined) return undefined
    try {
      call.observe({ kind: "fs.read", path: held.single === undefined ? held.path : join(held.path, held.single) })
      this.program ??= await locateRipgrep()
      const { directory: workingDirectory } = this.options
      const show = displayIn(held.path, this.options)
      return await work({ program: this.program, held, workingDirectory, call, startMs, stopAtMs, show })
    } finally {
      held.close()
    }
  }

  private async openPlace(path: string, prefix: string, call: CallScope): Promise<HeldDirectory | undefined> {
    const { directory, openDirectory } = this.options
    const absolute = (each: string) => (isAbsolute(each) ? each : join(directory, each))
    if (prefix === "") return openDirectory(absolute(path), call)
    // The fixed beginning of a glob prunes the walk; a link there is followed, because the caller named it.
    const start = isAbsolute(prefix) ? prefix : join(path, prefix)
    const held = await openDirectory(absolute(start)).catch(missingIsNothing)
    if (held !== undefined && held.single === undefined) return held
    held?.close()
    if (!isAbsolute(prefix)) (await openDirectory(absolute(path), call)).close()
    return undefined
  }
}

function refusePattern(pattern: string): void {
  if (pattern.includes("\0")) {
    throw new ToolError("invalid_args", "Cannot search for a pattern with a NUL character; remove it")
  }
  if (pattern.length <= maxPatternLength) return
  const reason = `it is longer than ${maxPatternLength} characters`
  throw new ToolError("invalid_args", `Cannot search for "${pattern.slice(0, 100)}…": ${reason}; use a part of it`)
}

/** Shows paths relative to a folder as people see them. */
function displayIn(folder: string, { directory, display }: SearchOptions): (path: string) => string {
  const each = (path: string) => display(join(folder, path))
  // Below one folder all paths are shown with the same beginning, unless the working directory itself is below it.
  if (directory !== folder && isInside(directory, folder)) return each
  const sample = each(sampleName)
  if (!sample.endsWith(sampleName)) return each
  const beginning = sample.slice(0, -sampleName.length)
  return (path) => beginning + path
}

const sampleName = "x"

// Systems limit the length of an argument; no sensible pattern comes near.
const maxPatternLength = 16_384
// What is left of the deadline to put the answer together after ripgrep was stopped.
const answerMs = 100

const nothing = { complete: true, timedOut: false, skipped: { denied: 0, unreadable: 0 } }

function missingIsNothing(error: unknown): undefined {
  // A file where the pattern has a folder is `unsupported` on its way.
  if (ToolError.is(error) && (error.code === "not_found" || error.code === "unsupported")) return undefined
  throw error
}
