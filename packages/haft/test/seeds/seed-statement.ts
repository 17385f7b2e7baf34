/** One statement of a seed document, and its status; `docs/conformance.md` is made from these. */
export interface SeedStatement {
  /** Number of the document and of the statement in it: `003-7`. */
  readonly id: string
  readonly statement: string
  /** `decision`: another way was chosen on purpose, and a note says why. */
  readonly state: "works" | "decision" | "waits"
  /** The file that the proof is in. */
  readonly test?: string
  /** Words of the test's title, where the proof is in a file of other tests too. */
  readonly title?: string
  /** The note, for instance `docs/decisions/041-title.md`. */
  readonly decision?: string
  /** What it waits for. */
  readonly waits?: string
}
