import { type BigIntStats, readlinkSync } from "node:fs"
import { basename } from "node:path"
import { isInside } from "@haft/contract"
import { bigStatsOf } from "../../files/system/look.js"
import { entriesIn, type FoundName, type Path, type Place, within } from "./find-protected.js"

const maxCompared = 10_000
/** File times come from a clock that ticks. */
const clockGrainMs = 20

/** The protected names from before the first of the commands that run; with their state where no mount holds them. */
export class KnownNames {
  private readonly states: Map<string, State | undefined>
  /** Where not all names from before are known, only what changed since then is new. */
  private readonly partialSinceMs: number | undefined
  private comparable = maxCompared
  /** The first name that has more in it than is compared. */
  private tooLarge: string | undefined

  constructor(names: readonly FoundName[], { isPartial }: { readonly isPartial: boolean }) {
    this.states = new Map(names.map(({ shown }) => [shown, undefined]))
    this.partialSinceMs = isPartial ? Date.now() - clockGrainMs : undefined
  }

  has(shown: string): boolean {
    return this.states.has(shown)
  }

  stateOf(shown: string): State | undefined {
    return this.states.get(shown)
  }

  forget(shown: string): void {
    this.states.delete(shown)
  }

  /** Only so much is compared: the rest counts as held, and `uncompared` names it. */
  remember({ shown, path }: Place): void {
    const state = stateOf(path, this.comparable)
    this.comparable -= state?.size ?? 0
    if (!state) this.tooLarge ??= shown
    this.states.set(shown, state)
  }

  uncompared(): string | undefined {
    return this.tooLarge
  }

  /** The names that were found now, and links that are held apart: these may be where no index reads. */
  withLinks(found: readonly FoundName[], roots: readonly string[]): readonly FoundName[] {
    const names = new Set(found.map(({ shown }) => shown))
    const apart = [...this.states.keys()].filter(
      (path) => !names.has(path) && !roots.some((root) => isInside(path, root)) && bigStatsOf(path),
    )
    return [...found, ...apart.map((path): FoundName => ({ shown: path, path, role: "plain" }))]
  }

  isAsBefore({ shown, path }: FoundName, movable: Movable): boolean {
    const before = this.states.get(shown)
    if (this.states.has(shown)) return before === undefined || isEqual(before, stateOf(path, maxCompared))
    const facts = bigStatsOf(path)
    if (!facts) return true
    const isOld = this.partialSinceMs !== undefined && Number(facts.ctimeMs) < this.partialSinceMs
    // It was there under the same name, and the command moved a folder above it.
    const isMoved = movable.get(basename(shown))?.some((state) => isEqual(state, stateOf(path, maxCompared)))
    if (isOld || isMoved) this.states.set(shown, undefined)
    return isOld || isMoved === true
  }

  movable(): Movable {
    const movable = new Map<string, State[]>()
    for (const [path, state] of this.states) {
      if (state === undefined || state.get("")?.startsWith(linkMark)) continue
      movable.set(basename(path), [...(movable.get(basename(path)) ?? []), state])
    }
    return movable
  }
}

/** States of names that no mount holds, by the last part of the name. */
type Movable = ReadonlyMap<string, readonly State[]>

/** The state of a name: its own below an empty text, and what is in a folder below its path in there. */
export type State = ReadonlyMap<string, string>

/** The prefix of the stamp of a link, before its text. */
export const linkMark = "link to "

/** Which entry it is, and for a file when it was last changed, which nobody can set. Of a link only the text counts. */
export function stampOf(path: Path, facts: BigIntStats): string {
  if (facts.isSymbolicLink()) return `${linkMark}${linkText(path)}`
  const identity = `${facts.dev}:${facts.ino}:${facts.birthtimeNs}`
  return facts.isDirectory() ? identity : `${identity}:${facts.ctimeNs}`
}

/** The state of what is there; undefined for more than so many entries. */
function stateOf(path: Path, maxEntries: number): State | undefined {
  const state = new Map<string, string>()
  const pending = [{ place: { shown: "", path }, below: "" }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { place, below } = next
    if (state.size >= maxEntries) return undefined
    const facts = bigStatsOf(place.path)
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
function isEqual(one: State, other: State | undefined): boolean {
  return one.size === other?.size && [...one].every(([below, stamp]) => other.get(below) === stamp)
}

function linkText(path: Path): string {
  try {
    return readlinkSync(path).toString()
  } catch {
    return ""
  }
}
