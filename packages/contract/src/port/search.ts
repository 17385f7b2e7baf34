/** What to look for in the contents of files. */
export interface GrepRequest {
  readonly pattern: string
  readonly path?: string
  readonly glob?: string
  readonly contextLines: number
  readonly ignoreCase: boolean
  /** Matches after which the search stops. */
  readonly maxMatches: number
  /** Matches after which the search goes on with the next file. */
  readonly maxMatchesPerFile?: number
  /** Lets a match go over several lines; `.` matches line breaks then, and each line of it counts as one. */
  readonly multiline?: boolean
  readonly timeoutMs: number
}

/** A line that matched, with its surroundings where they were asked for. */
export interface GrepMatch {
  /** As shown to people: relative to the working directory where it is inside it. */
  readonly path: string
  readonly line: number
  /** Of a long line the part around the match, with its column and what is left out. */
  readonly text: string
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

/** What a search left out, and why. */
export interface Skipped {
  /** Paths that a rule denies; counted, never named. */
  readonly denied: number
  /** Files that could not be read, for instance for lack of permission. */
  readonly unreadable: number
  /** Files that changed their place during the search, so that what was found in them could not be confirmed. */
  readonly changed?: number
  /** Files with changes in the editor that are not saved, as shown to people: only what is on disk was searched. */
  readonly unsaved?: readonly string[]
}

/** What a content search found, in the order of paths and lines; the same call gives the same bytes. */
export interface GrepFound {
  readonly matches: readonly GrepMatch[]
  readonly fileCount: number
  /** False when there may be more matches than these. */
  readonly complete: boolean
  readonly timedOut: boolean
  readonly skipped: Skipped
}

/** Which files to list. */
export interface GlobRequest {
  readonly pattern: string
  readonly path?: string
  readonly maxPaths: number
  /** Lets the letters A to Z match in either case. */
  readonly ignoreCase?: boolean
  /** Names of folders to leave out at any depth below the place of the search, besides what ignore files name. */
  readonly skipFolders?: readonly string[]
  readonly timeoutMs: number
}

/** Which files were found, sorted by path. */
export interface GlobFound {
  readonly paths: readonly string[]
  /** How many there are in all; known only when the search was complete. */
  readonly total?: number
  readonly complete: boolean
  readonly timedOut: boolean
  readonly skipped: Skipped
}

/**
 * Finds files and lines inside the grant of one call; ignore files are honoured, links are not followed. Results are
 * ordered part by part of their paths. A glob without a slash matches at any depth; one that begins with `!` is refused.
 */
export interface Search {
  /**
   * A pattern that is no valid regular expression is `invalid_args`, and so is one with look-around or back-references that
   * needs too many steps; no match is an empty result.
   */
  grep(request: GrepRequest): Promise<GrepFound>
  glob(request: GlobRequest): Promise<GlobFound>
}
