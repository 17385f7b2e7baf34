import type { BigIntStats, Dirent } from "node:fs"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"
import { isInside } from "@haft/contract"
import type { CommittedFiles } from "../../git-index/index.js"
import { FoundInDirectories, type WorkspaceIndex } from "../../workspace-index/index.js"
import type { Release } from "../sandbox.js"
import { type Approvals, approvalsOf } from "./approvals.js"
import { createProtectedFinder, entriesIn, type FoundName, namesBelow, type Path, within } from "./find-protected.js"
import { holdFolders } from "./held-folders.js"
import { isPlainSettings, leadsInto, readSmall } from "./made-by-git.js"
import { factsOf, isEqual, linkMark, type State, stampOf, stateOf } from "./name-state.js"
import { isProtected, isTemplate } from "./protected-names.js"
import { moveAside, type Offender, type Quarantined } from "./quarantine.js"

/** Where protected names are looked for. */
export interface WatchOptions {
  readonly indexes: readonly WorkspaceIndex[]
  /** Repositories outside the roots that commands may see. */
  readonly gitDirs: readonly string[]
  /** What the roots had committed when the session began. */
  readonly committed: readonly CommittedFiles[]
  /** Where files are moved to. */
  readonly quarantine: string
  /** Names that are only there because running commands hold them. */
  readonly placeholders: () => ReadonlySet<string>
  /** Throws when the path of a root leads to another directory than when the session began. */
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
const maxCompared = 10_000
/** How long the event loop may be kept. */
const sliceLengthMs = 4
/** File times come from a clock that ticks. */
const clockGrainMs = 20

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
  /** Names that were there before; with their state where no mount holds them. */
  private known = new Map<string, State | undefined>()
  private unread: ReadonlySet<string> = new Set()
  private closed: ReadonlySet<string> = new Set()
  /** Whether there was more than is looked through before a command. */
  private isStopped = false
  /** Where not all names from before are known, only what changed since then is new. */
  private partialSinceMs: number | undefined
  private comparable = maxCompared
  /** The first name that has more in it than is compared. */
  private uncompared: string | undefined
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
      if (!this.known.has(shown) || this.known.get(shown)) continue
      if (!(typeof path === "string" && isHeld(path)) && !approvals.cover(shown)) this.remember({ shown, path })
    }
    for (const link of links) if (!this.known.get(link)) this.remember({ shown: link, path: link })
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
    const there = found.filter(({ shown, path }) => factsOf(path) && !isPlaceholder(path, held.has(shown)))
    this.known = new Map(there.map(({ shown }) => [shown, undefined]))
    this.unread = new Set(indexes.flatMap((index) => index.unread()))
    this.closed = new Set(this.closedFolders.values())
    this.isStopped = indexes.some((index) => index.stopped() !== undefined)
    const isPartial = this.isStopped || !isWhole || this.closed.size > 0
    this.partialSinceMs = isPartial ? Date.now() - clockGrainMs : undefined
    this.comparable = maxCompared
    this.uncompared = undefined
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
    const movable = this.movable()
    const commands = [...this.running.values()]
    const approvals = approvalsOf([...commands.flatMap((command) => command.approvals.paths), ...this.own])
    const isReached = ({ shown }: FoundName) =>
      commands.some(({ writable }) => writable.some((folder) => isInside(shown, folder)))
    for (const name of this.withLinks(found)) {
      // Other commands take and give names meanwhile: what was held at either end may have been seen.
      const isHeld = heldBefore.has(name.shown) || heldAfter.has(name.shown)
      if (!isReached(name) || isPlaceholder(name.path, isHeld) || this.isAsBefore(name, movable)) continue
      offenders.push(...this.offendersIn(name, approvals))
      // What may stay because of its content is looked at again: a process that still runs could change it right now.
      if (approvals.cover(name.shown) || approvals.reachInto(name.shown)) this.remember(name)
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

  /** Links that are held apart may lie where no index reads. */
  private withLinks(found: readonly FoundName[]): readonly FoundName[] {
    const names = new Set(found.map(({ shown }) => shown))
    const { indexes } = this.options
    const apart = [...this.known.keys()].filter(
      (path) => !names.has(path) && !indexes.some(({ root }) => isInside(path, root)) && factsOf(path),
    )
    return [...found, ...apart.map((path): FoundName => ({ shown: path, path, role: "plain" }))]
  }

  private isAsBefore({ shown, path }: FoundName, movable: Movable): boolean {
    const before = this.known.get(shown)
    if (this.known.has(shown)) return before === undefined || isEqual(before, stateOf(path, maxCompared))
    const facts = factsOf(path)
    if (!facts) return true
    const isOld = this.partialSinceMs !== undefined && Number(facts.ctimeMs) < this.partialSinceMs
    // It was there under the same name, and went with a folder above it that the command moved.
    const isMoved = movable.get(basename(shown))?.some((state) => isEqual(state, stateOf(path, maxCompared)))
    if (isOld || isMoved) this.known.set(shown, undefined)
    return isOld || isMoved === true
  }

  private movable(): Movable {
    const movable = new Map<string, State[]>()
    for (const [path, state] of this.known) {
      if (state === undefined || state.get("")?.startsWith(linkMark)) continue
      movable.set(basename(path), [...(movable.get(basename(path)) ?? []), state])
    }
    return movable
  }

  /** What of a name is to be moved away: the name, or what is in it, where some of that may stay. */
  private offendersIn(name: FoundName, approvals: Approvals): readonly Offender[] {
    const { shown, path, role } = name
    const folders = holdFolders()
    try {
      const at = folders.within(path)
      const facts = at === undefined ? undefined : factsOf(at)
      if (at === undefined || !facts || approvals.cover(shown) || this.mayStay(name, at, facts)) return []
      const before = this.known.get(shown)
      const isCheckedOut = this.checkedOut(name)
      const rules = { before, approvals, isCheckedOut, mayStay: role === "hooks" ? isSample : () => false }
      const isSame = before?.get("") === stampOf(at, facts) || isCheckedOut("", at)
      if (facts.isDirectory() && (isSame || role === "hooks" || approvals.reachInto(shown))) {
        return this.offendersBelow(name, "", rules)
      }
      if (isSame) return []
      const text = before?.get("")
      return [{ shown, path, ...(text?.startsWith(linkMark) && { link: text.slice(linkMark.length) }) }]
    } finally {
      folders.close()
    }
  }

  /** What git itself makes for a new repository, and templates. */
  private mayStay({ shown, path, role }: FoundName, at: Path, facts: BigIntStats): boolean {
    const { indexes, gitDirs } = this.options
    const places = [...indexes.map(({ root }) => root), ...gitDirs]
    const folder = typeof path === "string" ? dirname(path) : undefined
    if (role === "pointer") return folder !== undefined && leadsInto(at, folder, places)
    if (!facts.isFile()) return false
    if (role !== "settings") return isTemplate(basename(shown))
    const text = readSmall(at)
    const isOwn = (worktree: string) =>
      folder !== undefined && places.some((place) => isInside(resolve(folder, worktree), place))
    return text !== undefined && isPlainSettings(text, isOwn)
  }

  /**
   * What git checks out in a work tree of its own, a linked one or a clone: names that the commit from the session's start
   * has at the same place, and that were not there before this command.
   */
  private checkedOut({ shown, path, role }: FoundName): BelowRules["isCheckedOut"] {
    const root = this.options.indexes.find((index) => isInside(shown, index.root))?.root
    if (root === undefined || role !== "plain" || typeof path !== "string" || this.known.has(shown)) return () => false
    let top = dirname(path)
    while (top !== root && !factsOf(`${top}/.git`)) top = dirname(top)
    if (top === root) return () => false
    const name = relative(top, path).split(sep)
    return (below, at) =>
      typeof at === "string" &&
      this.options.committed.some((one) => {
        const inner = Buffer.from(below, "latin1").toString().split("/").slice(1)
        return one.isCheckedOut([...name, ...inner], at)
      })
  }

  private offendersBelow(folder: Place, inner: string, rules: BelowRules): readonly Offender[] {
    const { before, approvals, isCheckedOut, mayStay } = rules
    return entriesIn(folder.path).flatMap((entry): readonly Offender[] => {
      const place = within(folder, entry.name)
      const below = `${inner}/${entry.name.toString("latin1")}`
      const facts = factsOf(place.path)
      if (!facts || approvals.cover(place.shown) || mayStay(entry)) return []
      const isSame = before?.get(below) === stampOf(place.path, facts) || isCheckedOut(below, place.path)
      if (facts.isDirectory() && (isSame || approvals.reachInto(place.shown))) {
        return this.offendersBelow(place, below, rules)
      }
      return isSame ? [] : [place]
    })
  }

  private async moveAll(offenders: readonly Offender[]): Promise<readonly Quarantined[]> {
    const folder = join(this.options.quarantine, `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`)
    const moved: Quarantined[] = []
    const pause = pauses()
    for (const offender of offenders) {
      const one = await moveAside(offender, join(folder, this.placeOf(offender.shown)))
      moved.push(one)
      if (one.movedTo !== undefined && offender.link === undefined) this.known.delete(offender.shown)
      else this.remember(offender)
      await pause()
    }
    return moved
  }

  /** Below its root; with several, each has a folder. */
  private placeOf(path: string): string {
    const { indexes, gitDirs } = this.options
    const roots = [...indexes.map(({ root }) => root), ...gitDirs]
    const number = roots.findIndex((root) => isInside(path, root))
    const place = number < 0 ? basename(path) : relative(roots[number]!, path)
    return roots.length > 1 ? join(String(number + 1), place) : place
  }

  /** New folders such as installed packages are left to those who make them; what is in them is told as far as it is seen. */
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
    const others = closed.length > 1 ? ` and ${closed.length - 1} more` : ""
    return [
      ...stopped.map(notAll),
      ...(closed[0] === undefined ? [] : [notAll(`"${closed[0]}"${others} cannot be listed`)]),
      ...(this.uncompared === undefined ? [] : [notAll(`"${this.uncompared}" has too much in it`)]),
    ]
  }

  /** Only so much is compared: the rest counts as held, and that is told. */
  private remember({ shown, path }: Place): void {
    const state = stateOf(path, this.comparable)
    this.comparable -= state?.size ?? 0
    if (!state) this.uncompared ??= shown
    this.known.set(shown, state)
  }

  /** Looks do not overlap. */
  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.last.then(work)
    this.last = turn.catch(() => undefined)
    return turn
  }
}

interface Look {
  readonly offenders: readonly Offender[]
  readonly left: readonly Quarantined[]
  readonly notes: readonly string[]
}

interface BelowRules {
  readonly before: State | undefined
  readonly approvals: Approvals
  readonly mayStay: (entry: Dirent<Buffer>) => boolean
  /** By the path below the name, and where it is. */
  readonly isCheckedOut: (below: string, path: Path) => boolean
}

/** States of names that no mount holds, by the last part of the name. */
type Movable = ReadonlyMap<string, readonly State[]>

type Place = Pick<FoundName, "shown" | "path">

const notScanned = "left there, because it lies in a folder that is not scanned"

function notAll(why: string): string {
  return `Not all of the workspace was looked through for protected names: ${why}`
}

/** Git never runs a hook of such a name. */
function isSample(entry: Dirent<Buffer>): boolean {
  return !entry.isDirectory() && entry.name.toString("latin1").endsWith(".sample")
}

/** An empty folder that holds a name; with something in it, it is what a command made of it. */
function isPlaceholder(path: Path, isHeld: boolean): boolean {
  return isHeld && factsOf(path)?.isDirectory() !== false && entriesIn(path).length === 0
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
