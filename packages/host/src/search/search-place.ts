import type { CallScope } from "@haft/contract"

/** A directory that stays the same directory until it is closed. */
export interface HeldDirectory {
  /** Absolute, links followed. */
  readonly path: string
  /** What a child process gets as its working directory. */
  readonly cwd: string
  /** The name inside the directory, when the opened path is a file. */
  readonly single?: string
  close(): void
}

/** The place of a search, with everything that its runs share. */
export interface SearchPlace {
  readonly program: string
  readonly held: HeldDirectory
  readonly workingDirectory: string
  readonly call: CallScope
  /** When the search began, in milliseconds of the host's clock. */
  readonly startMs: number
  /** When to stop and give what was found, in milliseconds of the host's clock. */
  readonly stopAtMs: number
  /** Shows a path relative to the place as people see it. */
  show(path: string): string
}
