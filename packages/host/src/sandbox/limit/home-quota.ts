import { readdirSync, statfsSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { bestEffort, ignoreMissing, ToolError } from "@haft/contract"
import { measureTrees } from "../../files/tree/measure-tree.js"
import { removeOwnFolder } from "../../files/tree/remove-tree.js"
import { removedBytes } from "./removed-files.js"

/** Which folders of a session have one quota together, and how much they may hold. */
export interface QuotaOptions {
  readonly folders: readonly string[]
  readonly maxBytes: number
  /** Where commands see them: files that were removed while a process has them open are known by these paths. */
  readonly shownAs: readonly string[]
  /** What of that is not theirs: a workspace below /tmp. */
  readonly except: readonly string[]
}

/** A process that fills the folders, maybe. */
export interface WatchedProcess {
  readonly pid: number
  /** It outlives its call: it is ended only where no other can be the one that filled the folders. */
  readonly lasting: boolean
  /** It can write no other folder of the same file system: what is written there and cannot be found is its own. */
  readonly writesElsewhere: boolean
  /** Called once, when the folders hold more than they may. */
  readonly end: () => void
}

/** The watch over one process. */
export interface QuotaWatch {
  /** Whether the process was ended because of the quota. */
  isExceeded(): boolean
  stop(): void
}

const watchMs = 100
// So often a look is taken in any case, and less often as time goes by: others may free as much as a command writes.
const lookMs = 3000
const maxLookMs = 30_000
// A look takes at most this part of the time; and a larger one where the folders may be full.
const rest = 10
const shortRest = 3
// A command waits so long for a measurement; longer only where the folders may be full.
const quickMs = 30

/**
 * Holds folders that commands fill and nobody else needs below a size. The free space of the file system shows when they
 * have to be measured, while a command runs and before the next one: asking for it costs a few microseconds, however much
 * is in the folders.
 */
export class HomeQuota {
  private readonly options: QuotaOptions
  private users = 0
  private allowance = 0
  private turn: Promise<unknown> = Promise.resolve()
  private readonly watched = new Set<Watched>()
  private clock: NodeJS.Timeout | undefined
  private measuring: Promise<void> | undefined
  /** The last measurement, and the one before the commands that run now began. Nothing is known at first. */
  private last: Measurement = { bytes: 0, used: Number.NEGATIVE_INFINITY }
  private first: Measurement = { bytes: 0, used: 0 }
  /** Counts beginnings and ends of commands; and what it was at a measurement that nobody used the folders in. */
  private visits = 0
  private visitsMeasured: number | undefined
  private costMs = 0
  private measuredAtMs = Number.NEGATIVE_INFINITY
  private pauseMs = lookMs

  constructor(options: QuotaOptions) {
    this.options = options
  }

  /** Before a command: what to report about the folders. Overfull ones are emptied, or refused while others use them. */
  enter(): Promise<readonly string[]> {
    const entered = this.turn.then(() => this.enterNow())
    this.turn = bestEffort("its caller gets the failure; the next one does not", entered)
    return entered
  }

  /** After a command: what it left is measured, and nobody waits for that. */
  leave(): void {
    this.users -= 1
    this.visits += 1
    // In a later turn: this one still has the command's answer to give (row "bash true, confined").
    if (performance.now() > this.measuredAtMs + this.costMs * rest) setImmediate(() => void this.measure())
  }

  /** Lets the folders hold more for a while: what Haft itself put into them. */
  allow(bytes: number): void {
    this.allowance += bytes
  }

  /** Ends a process that fills the folders while it runs. */
  watch(process: WatchedProcess): QuotaWatch {
    const watched: Watched = { ...process, isExceeded: false }
    this.watched.add(watched)
    this.clock ??= setInterval(() => void this.look(), watchMs).unref()
    return {
      isExceeded: () => watched.isExceeded,
      stop: () => {
        this.watched.delete(watched)
        if (this.watched.size > 0) return
        clearInterval(this.clock)
        this.clock = undefined
      },
    }
  }

  private get maxBytes(): number {
    return this.options.maxBytes + this.allowance
  }

  private mayBeFull(): boolean {
    return this.last.bytes + this.usedBytes() - this.last.used > this.maxBytes
  }

  private async enterNow(): Promise<readonly string[]> {
    await this.measureIfNeeded()
    const isOverfull = this.last.bytes > this.maxBytes
    if (isOverfull && this.users > 0) throw inUse(this.options.maxBytes)
    if (isOverfull) await this.empty()
    if (this.users === 0) this.first = { bytes: this.last.bytes, used: this.usedBytes() }
    this.users += 1
    this.visits += 1
    this.pauseMs = lookMs
    return isOverfull ? [`${named} held more than ${inWords(this.options.maxBytes)} and were emptied`] : []
  }

  private async measureIfNeeded(): Promise<void> {
    // Nobody wrote since the command before was measured, and that was while nobody waited (row "bash true, confined").
    if (this.visitsMeasured === this.visits && !this.mayBeFull()) return
    if (this.costMs < quickMs) await Promise.race([this.measureAgain(), delay(quickMs, undefined, { ref: false })])
    if (this.mayBeFull()) await this.measureAgain()
  }

  private async empty(): Promise<void> {
    for (const folder of this.options.folders) {
      for (const name of ignoreMissing(() => readdirSync(folder)) ?? []) {
        await bestEffort("what stays is measured below", removeOwnFolder(join(folder, name)))
      }
    }
    await this.measure()
  }

  private async measureAgain(): Promise<void> {
    await this.measuring
    await this.measure()
  }

  /** One at a time. */
  private measure(): Promise<void> {
    this.measuring ??= this.measureNow().finally(() => {
      this.measuring = undefined
    })
    return this.measuring
  }

  private async measureNow(): Promise<void> {
    const startMs = performance.now()
    const visits = this.users === 0 ? this.visits : undefined
    const used = this.usedBytes()
    const bytes = await measureTrees(this.options.folders, this.maxBytes)
    this.last = { bytes, used }
    this.visitsMeasured = visits
    this.measuredAtMs = performance.now()
    this.costMs = this.measuredAtMs - startMs
  }

  private async look(): Promise<void> {
    // A sandbox that only waits for its command fills nothing.
    if (this.users === 0 || this.measuring) return
    const used = this.usedBytes()
    // Others may free space meanwhile: what was the least since then is where growth counts from.
    this.first = { ...this.first, used: Math.min(this.first.used, used) }
    this.last = { ...this.last, used: Math.min(this.last.used, used) }
    const pauseMs = this.mayBeFull() ? this.costMs * shortRest : Math.max(this.pauseMs, this.costMs * rest)
    if (performance.now() < this.measuredAtMs + pauseMs) return
    this.pauseMs = Math.min(this.pauseMs * 2, maxLookMs)
    await this.measure()
    const { bytes } = this.last
    const unexplained = used - this.first.used - Math.max(0, bytes - this.first.bytes)
    // What is written and is in no folder may be in files that are open and have no name any more.
    const removed =
      bytes <= this.maxBytes && bytes + unexplained > this.maxBytes ? await removedBytes(this.options, this.watched) : 0
    if (bytes + removed > this.maxBytes) this.endAll()
  }

  private endAll(): void {
    const short = [...this.watched].filter(({ lasting }) => !lasting)
    for (const one of short.length > 0 ? short : this.watched) {
      if (one.isExceeded) continue
      one.isExceeded = true
      one.end()
    }
  }

  private usedBytes(): number {
    const facts = bestEffort("a folder that is gone holds nothing", () => statfsSync(this.options.folders[0]!))
    return facts ? (facts.blocks - facts.bfree) * facts.bsize : 0
  }
}

/** How much the folders held, and how much was in use on their file system. */
interface Measurement {
  readonly bytes: number
  readonly used: number
}

interface Watched extends WatchedProcess {
  isExceeded: boolean
}

/** The failure of a command that was ended. */
export function quotaExceeded(maxBytes: number): ToolError {
  return new ToolError(
    "too_large",
    `Cannot go on with the command: ${named} of this session hold more than ${inWords(maxBytes)} together, so it was ended`,
    {
      hint: "Write less there, and nest no folders deeper than a path can name: both are emptied before the next command. What is to stay belongs into the workspace",
    },
  )
}

const named = "the home directory and /tmp"

function inUse(maxBytes: number): ToolError {
  return new ToolError(
    "too_large",
    `Cannot run the command: ${named} of this session hold more than ${inWords(maxBytes)} together and are in use; end the jobs and interpreters of this session, then they are emptied`,
  )
}

function inWords(bytes: number): string {
  return bytes >= 1024 ** 3 ? `${Math.round(bytes / 1024 ** 3)} GB` : `${bytes} bytes`
}
