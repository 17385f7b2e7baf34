/** A changed place with its surroundings, as in a unified diff; line numbers begin at 1. */
export interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** Each begins with a blank, `-`, `+` or `\`; line breaks are left out. */
  readonly lines: readonly string[]
}
