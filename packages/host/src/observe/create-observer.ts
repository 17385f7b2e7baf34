import { join } from "node:path"
import type { ObservedChanges, SandboxedCall } from "@haft/contract"
import type { WorkspaceIndex } from "../workspace-index/index.js"
import { compareSnapshots } from "./compare-snapshots.js"
import { type ContentPack, createContentPack } from "./content-pack.js"
import { describeChanges } from "./describe-changes.js"
import { KeptContents } from "./keep-contents.js"
import { leftOutEffect, listChanges } from "./list-changes.js"
import { defaultObserveLimits, type ObserveLimits } from "./observe-limits.js"
import { type ComparedPictures, type Picture, Pictures } from "./pictures.js"
import { recordChanges } from "./record-changes.js"
import type { Entry } from "./scan-workspace.js"
import { removeSetId, removeUnreadSetId, setIdFiles, setIdIdentity, setIdNotes } from "./set-id-files.js"

/** Knows what commands changed in the workspace of a session. */
export interface Observer {
  /** Looks at the workspace before a command that may write. */
  begin(call: SandboxedCall): Promise<Observation>
  /**
   * For a process that outlives its call: looks which files let everybody run them as their owner or group. The answer
   * removes that from those that came since, and says so.
   */
  watchSetId(): Promise<() => Promise<readonly string[]>>
  close(): Promise<void>
}

/** One command between its two looks. */
export interface Observation {
  /** Looks again, records what changed as effects of the call and says it; later calls give the same answer. */
  end(ran?: CommandSandboxFacts): Promise<ObservedChanges>
}

/** What the sandbox of a command held. */
export interface CommandSandboxFacts {
  readonly isConfined: boolean
  /** A system-call filter kept it from making set-user-id files. */
  readonly isFiltered: boolean
}

/** Where to look and what to keep. */
export interface ObserverOptions {
  /** Absolute, links followed. */
  readonly roots: readonly string[]
  /** Of the roots; whoever made them closes them. */
  readonly indexes: readonly WorkspaceIndex[]
  readonly directory: string
  readonly historyFolder: string
  readonly sessionFolder: string
  readonly limits?: Partial<ObserveLimits>
  /** Paths that are only there to hold their names while a command runs: no change of anybody's. */
  readonly held?: () => ReadonlySet<string>
}

const clockGrainMs = 20
/** So long after the last command a session counts as idle. */
const idleMs = 60
/** Copying while idle takes this long at a time, and then lets others run for longer. */
const idleSliceMs = 3
const idlePauseMs = 9
/** So long after the last command every file is looked at again: a write through `mmap` makes no event. */
const reconcileMs = 2000

interface Active {
  shared: boolean
  readonly sinceMs: number
}

/**
 * All commands of a session are measured against one picture of the workspace, so that a change is told exactly once,
 * also when commands overlap: by the one that ends first.
 */
export function createObserver(options: ObserverOptions): Observer {
  return new WorkspaceObserver(options)
}

class WorkspaceObserver implements Observer {
  private readonly options: ObserverOptions
  private readonly limits: ObserveLimits
  private readonly pack: ContentPack
  private readonly contents: KeptContents
  private readonly pictures: Pictures
  private readonly active = new Set<Active>()
  private picture: Picture | undefined
  private lastGrant: SandboxedCall["grant"] | undefined
  private idleTimer: NodeJS.Timeout | undefined
  private activeMs = 0
  private isReconciled = true
  private isClosed = false
  private last: Promise<unknown> = Promise.resolve()

  constructor(options: ObserverOptions) {
    const { roots, indexes, sessionFolder } = options
    this.options = options
    this.limits = { ...defaultObserveLimits, ...options.limits }
    this.pack = createContentPack(join(sessionFolder, "before"), this.limits.totalBytes * 4)
    this.contents = new KeptContents(this.pack, this.limits)
    this.pictures = new Pictures({ roots, indexes, limits: this.limits, held: () => options.held?.() ?? none })
  }

  async begin(call: SandboxedCall): Promise<Observation> {
    // File times come from a clock that ticks.
    const own: Active = { shared: false, sinceMs: Date.now() - clockGrainMs }
    await this.inTurn(() => this.beginOne(call, own))
    let ending: Promise<ObservedChanges> | undefined
    return {
      end: (ran = { isConfined: true, isFiltered: false }) => {
        ending ??= this.inTurn(() => this.endOne(call, own, ran))
        return ending
      },
    }
  }

  async watchSetId(): Promise<() => Promise<readonly string[]>> {
    const files = () =>
      this.inTurn(async () => {
        const picture = await this.pictures.look()
        return picture && setIdFiles(this.pictures.entries(picture))
      })
    const known = new Set((await files())?.map(([, entry]) => setIdIdentity(entry)))
    return async () => {
      const found = await files()
      return found
        ? setIdNotes(
            removeSetId(found, known, () => undefined),
            this.options.directory,
          )
        : []
    }
  }

  close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.idleTimer)
    return this.inTurn(async () => {
      this.pictures.close()
      this.pack.close()
    })
  }

  private async beginOne(call: SandboxedCall, own: Active): Promise<void> {
    this.touch()
    // While another command runs, a new picture would hide what that one has changed so far.
    if (this.active.size === 0) {
      this.picture = await this.pictures.look()
      if (this.picture) await this.keep(this.picture, call)
      else this.pictures.begin()
    }
    this.active.add(own)
    if (this.active.size > 1) for (const each of this.active) each.shared = true
  }

  private async endOne(call: SandboxedCall, own: Active, ran: CommandSandboxFacts): Promise<ObservedChanges> {
    const { roots, directory, historyFolder } = this.options
    const { limits, pack } = this
    this.active.delete(own)
    this.isReconciled = false
    const compared = this.picture && (await this.pictures.compare(this.picture))
    if (!compared) {
      this.picture = undefined
      this.touch()
      return notCompared(limits)
    }
    const { before } = compared
    const { differences, setId } = await this.withoutSetId(compared, own.sinceMs, ran)
    const { listed, leftOut } = listChanges(differences, limits.changes)
    const recorded = await recordChanges(listed, { call, roots, before, pack, historyFolder, limits })
    if (leftOut > 0) call.observe(leftOutEffect(roots[0]!, leftOut))
    const notes = setIdNotes(setId, directory)
    this.picture = setId.removed.length > 0 ? await this.pictures.look() : compared.next
    if (this.picture) this.advance(this.picture)
    this.touch()
    return describeChanges(recorded, { call, directory, roots, leftOut, shared: own.shared, notes })
  }

  /** Copies what the next command may change; at the first time as much as there is time for. */
  private async keep(picture: Picture, { grant }: SandboxedCall): Promise<void> {
    const { contents, limits } = this
    this.lastGrant = grant
    const isFirst = this.advance(picture)
    const source = { snapshot: this.pictures.before(picture), grant, onDifferent: this.onDifferent }
    if (grant.writes?.length) await contents.keepNamed(this.namedEntries(picture, grant.writes), source)
    const downTo = isFirst ? 0 : this.backlog
    await contents.keepWaiting(source, { maxMs: limits.keepMs, downTo })
    this.backlog = contents.waitingCount
  }

  /** How many files waited when the last command began: these are copied while idle. */
  private backlog = 0

  /** The picture to compare with is this one from now on; true when all files were offered for copying. */
  private advance(picture: Picture): boolean {
    const { contents } = this
    if (picture.kind === "scan" || contents.isEmpty()) {
      this.pictures.begin()
      contents.offerAll(this.pictures.entries(picture))
      return true
    }
    this.backlog = Math.min(this.backlog, contents.waitingCount)
    const replaced = this.pictures.begin()
    const now = this.pictures.before(picture)
    for (const [folder, before] of replaced) {
      for (const name of before?.facts?.entries.keys() ?? []) {
        const path = `${folder}/${name}`
        if (!now.has(path)) contents.forget(path)
      }
    }
    for (const [path, entry] of this.pictures.in(replaced.keys(), picture)) contents.offer(path, entry)
    return false
  }

  /** What a command was judged to write; all of a root is no more than what waits anyway. */
  private *namedEntries(picture: Picture, writes: readonly string[]): Iterable<readonly [string, Entry]> {
    const snapshot = this.pictures.before(picture)
    for (const path of writes) {
      const entry = snapshot.get(path)
      if (entry) yield [path, entry]
      if (entry?.kind === "directory" && !this.options.roots.includes(path)) yield* this.pictures.below(path, picture)
    }
  }

  private async withoutSetId({ before, after }: ComparedPictures, sinceMs: number, ran: CommandSandboxFacts) {
    const differences = compareSnapshots(before, after)
    if (!ran.isConfined) return { differences, setId: { removed: [], left: [] } }
    const found = setIdFiles(differences.flatMap(({ path, after: now }) => (now ? [[path, now] as const] : [])))
    // Files that had the bits and went with their folder to another place keep them.
    const earlier = found.length === 0 ? [] : setIdFiles(this.pictures.entriesBefore(this.picture!))
    const known = new Set(earlier.map(([, entry]) => setIdIdentity(entry)))
    const changed = new Map<string, Entry>()
    const seen = removeSetId(found, known, (path, entry) => changed.set(path, entry))
    const unobserved = this.pictures.changedUnobserved()
    const folders = unobserved ? { changed: unobserved } : { in: after }
    const unread = ran.isFiltered ? undefined : await removeUnreadSetId(folders, { sinceMs, maxMs: unreadMs })
    return {
      differences: differences.map((one) => (one.after ? { ...one, after: changed.get(one.path) ?? one.after } : one)),
      setId: {
        removed: [...seen.removed, ...(unread?.removed ?? [])],
        left: [...seen.left, ...(unread?.left ?? [])],
        isWhole: unread?.isWhole ?? true,
      },
    }
  }

  private readonly onDifferent = (folder: string): void => {
    for (const index of this.options.indexes) index.suspect(folder)
  }

  /** Begins to count the time for which the session is idle. */
  private touch(): void {
    this.activeMs = performance.now()
    this.sleep(idleMs)
  }

  private sleep(ms: number): void {
    if (this.isClosed) return
    clearTimeout(this.idleTimer)
    this.idleTimer = setTimeout(() => void this.inTurn(() => this.work()), ms).unref()
  }

  private async work(): Promise<void> {
    const { picture, contents, pack, lastGrant } = this
    if (this.isClosed || performance.now() - this.activeMs < idleMs) return
    // To start over would lose what the command that runs now may have changed already.
    if (picture && lastGrant && contents.hasWaiting() && !pack.isFull) {
      const source = { snapshot: this.pictures.before(picture), grant: lastGrant, onDifferent: this.onDifferent }
      await contents.keepWaiting(source, { maxMs: idleSliceMs })
      this.backlog = Math.min(this.backlog, contents.waitingCount)
      return this.sleep(idlePauseMs)
    }
    if (this.isReconciled || this.active.size > 0) return
    if (performance.now() - this.activeMs < reconcileMs) return this.sleep(reconcileMs)
    this.isReconciled = true
    const limits = { maxMs: this.limits.indexMs, maxEntries: this.limits.entries }
    for (const index of this.options.indexes) void index.reconcile(limits, "idle").catch(() => undefined)
  }

  /** Looks do not overlap. */
  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.last.then(work)
    this.last = turn.catch(() => undefined)
    return turn
  }
}

const none: ReadonlySet<string> = new Set()

/** Working time of looking through installed packages and git's objects. */
const unreadMs = 200

function notCompared({ entries }: ObserveLimits): ObservedChanges {
  const note = `The workspace is too large to compare (more than ${entries} entries, or too slow to look at); changes were not listed and cannot be undone`
  return { written: [], deleted: [], unexpected: [], protectedCreated: [], complete: false, note }
}
