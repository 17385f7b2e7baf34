import { basename, dirname, join, relative, sep } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"
import { bestEffort, isInside } from "@haft/contract"
import { bigStatsOf } from "../../files/system/look.js"
import { FoundInDirectories } from "../../workspace-index/index.js"
import type { Release } from "../sandbox.js"
import { type Approvals, approvalsOf } from "./approvals.js"
import { createProtectedFinder, entriesIn, type FoundName, namesBelow, type Path } from "./find-protected.js"
import { KnownNames } from "./known-names.js"
import { offendersIn, type Repositories } from "./offenders.js"
import { isProtected } from "./protected-names.js"
import { moveAside, type Offender, placeInQuarantine, type Quarantined } from "./quarantine.js"

/** Where protected names are looked for. */
export interface WatchOptions extends Repositories {
  /** Where files are moved to. */
  readonly quarantine: string
  /** Names that are only there because running commands hold them. */
  readonly placeholders: () => ReadonlySet<string>
  /** Throws when the path of a root resolves to another directory than when the session began. */
  readonly assertInPlace: () => void
}

/** A command that may write, as far as protected names are concerned. */
export interface WatchedCommand {
  /** Where it may write. */
  readonly writable: readonly string[]
  readonly approvals: Approvals
  /** Whether a mount keeps this name as it is until the command has ended. */
  readonly isHeld: (path: string) => boolean
  /** Links under protected names, which no mount can hold; also outside the roots. */
  readonly links: readonly string[]
}

/** Ends the watch over a command, which must have ended itself. */
export type EndWatch = () => Promise<Release>

// A command may leave much more than there was: that is looked through as long as it is bearable. Where there was too much
// before, nobody waits that long.
const [scanLimits, briefLimits] = [
  { maxMs: 10_000, maxEntries: 1_000_000 },
  { maxMs: 500, maxEntries: 200_000 },
]
const maxUnscanned = 20_000
/** How long the event loop may be kept. */
const sliceLengthMs = 4

/**
 * Finds what commands made under protected names that no mount holds: absent names in folders below the roots, and names
 * that were left free. It is moved to the quarantine when the command has ended. The commands of a session are measured
 * against the names from before the first of those that run, so that what a job made is found when any command ends.
 */
export class ProtectedWatch {
  private readonly options: WatchOptions
  private readonly find: ReturnType<typeof createProtectedFinder>
  private readonly closedFolders: FoundInDirectories<string>
  private readonly running = new Map<symbol, Pick<WatchedCommand, "approvals" | "writable">>()
  private known = new KnownNames([], { isPartial: false })
  private unread: ReadonlySet<string> = new Set()
  private closed: ReadonlySet<string> = new Set()
  /** Whether there was more than is looked through before a command. */
  private isStopped = false
  /** Written by Haft itself since the last look. */
  private own: string[] = []
  private last: Promise<unknown> = Promise.resolve()

  constructor(options: WatchOptions) {
    this.options = options
    this.find = createProtectedFinder(options.indexes)
    this.closedFolders = new FoundInDirectories(options.indexes, ({ path, isClosed, unread }) =>
      isClosed && unread === undefined ? path : undefined,
    )
  }

  /** To be called when the indexes are up to date and names are held; the answer ends the watch over this command. */
  begin({ writable, approvals, isHeld, links }: WatchedCommand): EndWatch {
    const { found, isWhole } = this.find()
    if (this.running.size === 0) this.start(found, isWhole)
    for (const { shown, path } of found) {
      if (!this.known.has(shown) || this.known.stateOf(shown)) continue
      if (!(typeof path === "string" && isHeld(path)) && !approvals.cover(shown)) this.known.remember({ shown, path })
    }
    for (const link of links) if (!this.known.stateOf(link)) this.known.remember({ shown: link, path: link })
    const token = Symbol("command")
    this.running.set(token, { approvals, writable })
    let ending: Promise<Release> | undefined
    return () => {
      ending ??= this.inTurn(() => this.end(token))
      return ending
    }
  }

  /** Haft itself wrote this, as a person allowed: it is no command's. */
  accept(path: string): void {
    const index = this.options.indexes.find(({ root }) => isInside(path, root))
    if (this.running.size > 0 && index && isProtected(relative(index.root, path).split(sep))) this.own.push(path)
  }

  /** The protected names as they were when the indexes were brought up to date. */
  names(): readonly FoundName[] {
    this.closedFolders.values()
    return this.find().found
  }

  private start(found: readonly FoundName[], isWhole: boolean): void {
    const { indexes, placeholders } = this.options
    const held = placeholders()
    // What was moved away since the indexes were brought up to date must not count as there.
    const there = found.filter(({ shown, path }) => bigStatsOf(path) && !isPlaceholder(path, held.has(shown)))
    this.unread = new Set(indexes.flatMap((index) => index.unread()))
    this.closed = new Set(this.closedFolders.values())
    this.isStopped = indexes.some((index) => index.stopped() !== undefined)
    this.known = new KnownNames(there, { isPartial: this.isStopped || !isWhole || this.closed.size > 0 })
    this.own = []
  }

  private async end(token: symbol): Promise<Release> {
    try {
      this.options.assertInPlace()
      const { offenders, left, notes } = await this.look()
      const moved = await this.moveAll(offenders)
      return { quarantined: [...moved, ...left], ...(notes.length > 0 && { note: notes.join(". ") }) }
    } catch (error) {
      return { quarantined: [], note: notAll(error instanceof Error ? error.message : String(error)) }
    } finally {
      this.running.delete(token)
    }
  }

  private async look(): Promise<Look> {
    const { indexes, placeholders } = this.options
    const heldBefore = placeholders()
    for (const index of indexes) await index.refresh(this.isStopped ? briefLimits : scanLimits)
    const { found, isWhole } = this.find()
    const heldAfter = placeholders()
    const offenders: Offender[] = []
    const pause = pauses()
    const roots = indexes.map(({ root }) => root)
    const movable = this.known.movable()
    const commands = [...this.running.values()]
    const approvals = approvalsOf([...commands.flatMap((command) => command.approvals.paths), ...this.own])
    const isReached = ({ shown }: FoundName) =>
      commands.some(({ writable }) => writable.some((folder) => isInside(shown, folder)))
    for (const name of this.known.withLinks(found, roots)) {
      // Other commands take and give names meanwhile: what was held at either end may have been seen.
      const isHeld = heldBefore.has(name.shown) || heldAfter.has(name.shown)
      if (!isReached(name) || isPlaceholder(name.path, isHeld) || this.known.isAsBefore(name, movable)) continue
      offenders.push(...offendersIn(name, { known: this.known, approvals, repositories: this.options }))
      // What may stay because of its content is looked at again: a process that still runs could change it right now.
      if (approvals.cover(name.shown) || approvals.reachInto(name.shown)) this.known.remember(name)
      await pause()
    }
    this.own = []
    const unscanned = await this.inUnscanned()
    return {
      offenders: offenders.sort((one, other) => (one.shown < other.shown ? -1 : 1)),
      left: unscanned.found.filter(isReached).map(({ shown }) => ({ path: shown, stays: notScanned })),
      notes: [...(isWhole ? [] : [notAll("its names are no text")]), ...unscanned.notes, ...this.notLookedAt()],
    }
  }

  private async moveAll(offenders: readonly Offender[]): Promise<readonly Quarantined[]> {
    const folder = join(this.options.quarantine, `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`)
    const roots = [...this.options.indexes.map(({ root }) => root), ...this.options.gitDirs]
    const moved: Quarantined[] = []
    const pause = pauses()
    for (const offender of offenders) {
      const one = await moveAside(offender, join(folder, placeInQuarantine(offender.shown, roots)))
      moved.push(one)
      if (one.movedTo !== undefined && offender.link === undefined) this.known.forget(offender.shown)
      else this.known.remember(offender)
      await pause()
    }
    return moved
  }

  /** New folders such as installed packages are left to those who make them; what is in them is reported as far as it is seen. */
  private async inUnscanned(): Promise<{ readonly found: readonly FoundName[]; readonly notes: readonly string[] }> {
    const found: FoundName[] = []
    const notes: string[] = []
    for (const index of this.options.indexes) {
      const isNew = (path: string) => !this.unread.has(path) && basename(dirname(path)) !== ".git"
      const folders = index.unread().filter(isNew)
      const below = await namesBelow(index.root, folders, maxUnscanned)
      for (const name of below.found) if (name.role === "plain") found.push(name)
      if (!below.isWhole) notes.push(`Not all of "${folders[0]}" was looked through for protected names`)
    }
    this.unread = new Set(this.options.indexes.flatMap((index) => index.unread()))
    return { found, notes }
  }

  private notLookedAt(): readonly string[] {
    const { indexes } = this.options
    const stopped = indexes.flatMap((index) => index.stopped() ?? [])
    const closed = this.closedFolders.values().filter((path) => !this.closed.has(path))
    this.closed = new Set(this.closedFolders.values())
    const uncompared = this.known.uncompared()
    const others = closed.length > 1 ? ` and ${closed.length - 1} more` : ""
    return [
      ...stopped.map(notAll),
      ...(closed[0] === undefined ? [] : [notAll(`"${closed[0]}"${others} cannot be listed`)]),
      ...(uncompared === undefined ? [] : [notAll(`"${uncompared}" has too much in it`)]),
    ]
  }

  /** Looks do not overlap. */
  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.last.then(work)
    this.last = bestEffort("the caller of this turn gets its failure", turn)
    return turn
  }
}

interface Look {
  readonly offenders: readonly Offender[]
  readonly left: readonly Quarantined[]
  readonly notes: readonly string[]
}

const notScanned = "left there, because it is in a folder that is not scanned"

function notAll(why: string): string {
  return `Not all of the workspace was looked through for protected names: ${why}`
}

/** An empty folder that holds a name; with something in it, it is what a command made of it. */
function isPlaceholder(path: Path, isHeld: boolean): boolean {
  return isHeld && bigStatsOf(path)?.isDirectory() !== false && entriesIn(path).length === 0
}

/** To be awaited now and then: lets others run when this has taken its time. */
function pauses(): () => Promise<void> | undefined {
  let sliceMs = performance.now()
  return () => {
    if (performance.now() - sliceMs < sliceLengthMs) return undefined
    return nextTurn().then(() => {
      sliceMs = performance.now()
    })
  }
}
