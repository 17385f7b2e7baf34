import { bestEffort, type ObservedChanges, type SandboxedCall } from "@haft/contract"
import type { WorkspaceIndex } from "../../workspace-index/index.js"
import { WorkspaceCopies } from "../keep/workspace-copies.js"
import { describeChanges, leftOutEffect, listChanges } from "./describe-changes.js"
import { defaultObserveLimits, type ObserveLimits } from "./observe-limits.js"
import { type Picture, Pictures } from "./pictures.js"
import { recordChanges } from "./record-changes.js"
import {
  type CommandSandboxFacts,
  removeNewSetId,
  removeSetId,
  setIdFiles,
  setIdIdentity,
  setIdNotes,
} from "./set-id-files.js"

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

/** Where to look and what to keep. */
export interface ObserverOptions {
  /** Absolute, links followed. */
  readonly roots: readonly string[]
  /** Of the roots; their maker closes them. */
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
 * All commands of a session are measured against one picture of the workspace, so that a change is reported exactly once,
 * also when commands overlap: by the one that ends first.
 */
export function createObserver(options: ObserverOptions): Observer {
  return new WorkspaceObserver(options)
}

class WorkspaceObserver implements Observer {
  private readonly options: ObserverOptions
  private readonly limits: ObserveLimits
  private readonly pictures: Pictures
  private readonly copies: WorkspaceCopies
  private readonly active = new Set<Active>()
  private picture: Picture | undefined
  private idleTimer: NodeJS.Timeout | undefined
  private activeMs = 0
  private isReconciled = true
  private isClosed = false
  private last: Promise<unknown> = Promise.resolve()

  constructor(options: ObserverOptions) {
    const { roots, indexes, sessionFolder } = options
    this.options = options
    this.limits = { ...defaultObserveLimits, ...options.limits }
    this.pictures = new Pictures({ roots, indexes, limits: this.limits, held: () => options.held?.() ?? none })
    this.copies = new WorkspaceCopies({ roots, indexes, sessionFolder, limits: this.limits, pictures: this.pictures })
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
      this.copies.close()
    })
  }

  private async beginOne(call: SandboxedCall, own: Active): Promise<void> {
    this.touch()
    // While another command runs, a new picture would hide what that one has changed so far.
    if (this.active.size === 0) {
      this.picture = await this.pictures.look()
      if (this.picture) await this.copies.keep(this.picture, call.grant)
      else this.pictures.begin()
    }
    this.active.add(own)
    // The look took part of the time after which a session counts as idle.
    this.touch()
    if (this.active.size > 1) for (const each of this.active) each.shared = true
  }

  private async endOne(call: SandboxedCall, own: Active, ran: CommandSandboxFacts): Promise<ObservedChanges> {
    const { roots, directory, historyFolder } = this.options
    const { limits, pictures } = this
    const before = this.picture
    this.active.delete(own)
    this.isReconciled = false
    const compared = before && (await pictures.compare(before))
    if (!compared) {
      this.picture = undefined
      this.touch()
      return notCompared(limits)
    }
    const looked = { ...compared, pictures, picture: before }
    const { differences, setId } = await removeNewSetId(looked, own.sinceMs, ran)
    const { listed, leftOut } = listChanges(differences, limits.changes)
    const { pack } = this.copies
    const recorded = await recordChanges(listed, { call, roots, before: compared.before, pack, historyFolder, limits })
    if (leftOut > 0) call.observe(leftOutEffect(roots[0]!, leftOut))
    const notes = setIdNotes(setId, directory)
    this.picture = setId.removed.length > 0 ? await pictures.look() : compared.next
    if (this.picture) this.copies.advance(this.picture)
    this.touch()
    return describeChanges(recorded, { call, directory, roots, leftOut, shared: own.shared, notes })
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
    const { picture, copies } = this
    if (this.isClosed || performance.now() - this.activeMs < idleMs) return
    if (picture && (await copies.keepWhileIdle(picture, idleSliceMs))) return this.sleep(idlePauseMs)
    if (this.isReconciled || this.active.size > 0) return
    if (performance.now() - this.activeMs < reconcileMs) return this.sleep(reconcileMs)
    this.isReconciled = true
    const limits = { maxMs: this.limits.indexMs, maxEntries: this.limits.entries }
    for (const index of this.options.indexes) void bestEffort("the next command scans", index.reconcile(limits, "idle"))
  }

  /** Looks do not overlap. */
  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.last.then(work)
    this.last = bestEffort("the failure is its own caller's; the next one takes its turn", turn)
    return turn
  }
}

const none: ReadonlySet<string> = new Set()

function notCompared({ entries }: ObserveLimits): ObservedChanges {
  const note = `The workspace is too large to compare (more than ${entries} entries, or too slow to look at); changes were not listed and cannot be undone`
  return { written: [], deleted: [], unexpected: [], protectedCreated: [], complete: false, note }
}
