import type { Argument } from "../argument.js"
import type { Findings } from "../program/findings.js"
import { programName } from "../program/known-programs.js"
import { transparentWrappers } from "./transparent-wrappers.js"

/** A command without the wrappers in front of it. */
export interface LookedThrough {
  readonly words: readonly Argument[]
  readonly wrappers: readonly string[]
  /** The words at each wrapper, outermost first. */
  readonly spellings: readonly (readonly string[])[]
  readonly assignments: readonly string[]
  readonly folder: Argument | undefined
  /** The last wrapper runs nothing. */
  readonly ended: boolean
  /** A wrapper may run something else, as `env -S` does, or writes a file of its own. */
  readonly unclear: boolean
}

/** Looks through wrappers such as `timeout 5 nice git status`. */
export function lookThrough(words: readonly Argument[], findings: Findings): LookedThrough {
  const wrappers: string[] = []
  const spellings: (readonly string[])[] = []
  const assignments: string[] = []
  let folder: Argument | undefined
  let level = words
  for (;;) {
    const [first] = level
    const name = first?.kind === "literal" ? programName(first.text) : undefined
    const unwrap = name === undefined ? undefined : transparentWrappers.get(name)
    const unclear = wrappers.length > 0 && (findings.why !== undefined || findings.writes.length > 0)
    if (!unwrap) return { words: level, wrappers, spellings, assignments, folder, ended: false, unclear }
    if (wrappers.length >= maxWrappers) {
      findings.steered("too many programs run one another")
      return { words: level, wrappers, spellings, assignments, folder, ended: true, unclear }
    }
    const inner = unwrap(level.slice(1), findings)
    assignments.push(...(inner.assignments ?? []))
    folder = inner.folder ?? folder
    if (inner.words.length === 0)
      return { words: level, wrappers, spellings, assignments, folder, ended: true, unclear }
    wrappers.push(name!)
    spellings.push(level.map((word) => word.text))
    level = inner.words
  }
}

const maxWrappers = 8
