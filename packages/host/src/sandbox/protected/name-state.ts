import { type BigIntStats, lstatSync, readlinkSync } from "node:fs"
import { entriesIn, type Path, within } from "./find-protected.js"

/** The state of a name: its own below an empty text, and what is in a folder below its path in there. */
export type State = ReadonlyMap<string, string>

/** Stands before the text of a link. */
export const linkMark = "link to "

/** Which entry it is, and for a file when it was last changed, which nobody can set. Of a link only the text counts. */
export function stampOf(path: Path, facts: BigIntStats): string {
  if (facts.isSymbolicLink()) return `${linkMark}${linkText(path)}`
  const identity = `${facts.dev}:${facts.ino}:${facts.birthtimeNs}`
  return facts.isDirectory() ? identity : `${identity}:${facts.ctimeNs}`
}

/** The state of what is there; undefined for more than so many entries. */
export function stateOf(path: Path, maxEntries: number): State | undefined {
  const state = new Map<string, string>()
  const pending = [{ place: { shown: "", path }, below: "" }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { place, below } = next
    if (state.size >= maxEntries) return undefined
    const facts = factsOf(place.path)
    if (!facts) continue
    state.set(below, stampOf(place.path, facts))
    if (!facts.isDirectory()) continue
    for (const { name } of entriesIn(place.path)) {
      pending.push({ place: within(place, name), below: `${below}/${name.toString("latin1")}` })
    }
  }
  return state
}

/** Whether nothing changed between two looks. */
export function isEqual(one: State, other: State | undefined): boolean {
  return one.size === other?.size && [...one].every(([below, stamp]) => other.get(below) === stamp)
}

function linkText(path: Path): string {
  try {
    return readlinkSync(path).toString()
  } catch {
    return ""
  }
}

/** Undefined where nothing is, or nothing can be seen. */
export function factsOf(path: Path): BigIntStats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false, bigint: true })
  } catch {
    return undefined
  }
}
