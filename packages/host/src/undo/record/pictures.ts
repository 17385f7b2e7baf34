import { basename, dirname } from "node:path"
import { isInside } from "@haft/contract"
import type { IndexedDirectory, WorkspaceIndex } from "../../workspace-index/index.js"
import type { OfferFile } from "../keep/newest-files.js"
import type { ObserveLimits } from "./observe-limits.js"
import { type Entry, type Snapshot, scanWorkspace } from "./scan-workspace.js"

/** The workspace at one time: as the index knew it, or as a scan found it. */
export type Picture = { readonly held: Held } & (
  | { readonly kind: "index" }
  | { readonly kind: "scan"; readonly entries: Snapshot }
)

/** Names that are only there to be held while commands run. */
type Held = readonly ReadonlySet<string>[]

/** A picture and a later look, as far as they may differ. */
export interface ComparedPictures {
  readonly before: Snapshot
  readonly after: Snapshot
  readonly next: Picture
}

/** Where pictures are taken. */
export interface PicturesOptions {
  /** Absolute, links followed. */
  readonly roots: readonly string[]
  readonly indexes: readonly WorkspaceIndex[]
  readonly limits: ObserveLimits
  readonly held: () => ReadonlySet<string>
}

/** A workspace that was too large is left alone for a while: every command would pay the same time for nothing. */
const retryMs = 60_000

/**
 * Pictures of a workspace for comparing. Where an index tells what changed, a picture costs nothing: the records of
 * directories that were replaced since are kept until the next picture. Otherwise a picture is a scan.
 */
export class Pictures {
  private readonly options: PicturesOptions
  private readonly unsubscribe: readonly (() => void)[]
  /** The first record that was replaced since the last picture, by directory. */
  private replaced = new Map<string, IndexedDirectory | undefined>()
  private nextScanMs = 0

  constructor(options: PicturesOptions) {
    this.options = options
    this.unsubscribe = options.indexes.map((index) =>
      index.subscribe((path, before) => {
        if (!this.replaced.has(path)) this.replaced.set(path, before)
      }),
    )
  }

  /** Looks at the workspace; undefined when it was too large. `begin` makes the look the picture to compare with. */
  async look(): Promise<Picture | undefined> {
    const heldBefore = this.options.held()
    const isIndexed = await this.lookAtIndexes()
    const entries = isIndexed ? undefined : await this.scan()
    // Other commands take and give names while this one looks: what was held at either end may have been seen.
    const held = [heldBefore, this.options.held()]
    if (isIndexed) return { kind: "index", held }
    return entries && { kind: "scan", held, entries: withoutHeld(entries, held) }
  }

  /** From here on changes count. Resolves to the directories that changed since the last picture. */
  begin(): ReadonlyMap<string, IndexedDirectory | undefined> {
    const { replaced } = this
    this.replaced = new Map()
    return replaced
  }

  /** What differs from a picture now; undefined when it was too much to look at. */
  async compare(picture: Picture): Promise<ComparedPictures | undefined> {
    const next = await this.look()
    if (!next) return undefined
    if (picture.kind === "index" && next.kind === "index") {
      return { before: this.changedBefore(picture), after: this.changedNow(next), next }
    }
    return { before: this.whole(picture, this.recordBefore), after: this.whole(next, this.recordNow), next }
  }

  /** How entries were at the picture that began last. */
  before(picture: Picture): Snapshot {
    return picture.kind === "scan" ? picture.entries : this.changedBefore(picture)
  }

  /** All entries of a picture that was just taken. */
  entries(picture: Picture): Iterable<readonly [string, Entry]> {
    return picture.kind === "scan" ? picture.entries : this.every(picture.held, this.recordNow)
  }

  /** Reports each file of a picture that was just taken, except those of git and of installed packages. */
  eachFile(picture: Picture, visit: OfferFile): void {
    if (picture.kind === "scan") {
      for (const [path, entry] of picture.entries) {
        const { kind, within, size, mtimeMs } = entry
        if (kind === "file" && within === undefined) visit(dirname(path), basename(path), size, mtimeMs, entry)
      }
      return
    }
    const isHeld = (path: string) => picture.held.some((names) => names.has(path))
    const mayBeHeld = picture.held.some((names) => names.size > 0)
    for (const index of this.options.indexes) {
      for (const { path, observed, facts } of index.all()) {
        if (observed !== "plain") continue
        facts?.entries.eachFile((name, size, mtimeMs) => {
          if (!mayBeHeld || !isHeld(`${path}/${name}`)) visit(path, name, size, mtimeMs)
        })
      }
    }
  }

  /** All entries of the picture that began last. */
  entriesBefore(picture: Picture): Iterable<readonly [string, Entry]> {
    return picture.kind === "scan" ? picture.entries : this.every(picture.held, this.recordBefore)
  }

  /** The entries of some directories in a picture that was just taken. */
  in(directories: Iterable<string>, { held }: Picture): Iterable<readonly [string, Entry]> {
    return new IndexSnapshot(this.options.roots, held, this.recordNow, directories)
  }

  /** All entries below a folder in a picture that was just taken. */
  *below(folder: string, picture: Picture): Iterable<readonly [string, Entry]> {
    if (picture.kind === "scan") {
      for (const [path, entry] of picture.entries) if (isInside(path, folder)) yield [path, entry]
      return
    }
    const paths = this.options.indexes.flatMap((index) => [...index.all()].map(({ path }) => path))
    yield* this.in(
      paths.filter((path) => isInside(path, folder)),
      picture,
    )
  }

  /** Directories whose files are not looked at, as far as something changed in them; undefined where that is not known. */
  changedUnobserved(): readonly string[] | undefined {
    if (!this.options.indexes.every((index) => index.isWatching())) return undefined
    return [...this.replaced.keys()].filter((path) => this.recordNow(path)?.observed === "none")
  }

  close(): void {
    for (const unsubscribe of this.unsubscribe) unsubscribe()
  }

  private async lookAtIndexes(): Promise<boolean> {
    const { indexes, limits } = this.options
    const scanLimits = { maxMs: limits.indexMs, maxEntries: limits.entries }
    for (const index of indexes) if (!(await index.look(scanLimits))) return false
    return indexes.length > 0
  }

  private async scan(): Promise<Map<string, Entry> | undefined> {
    const { indexes, roots, limits } = this.options
    // An index that has not come to its end goes on at the next look; a scan would not come further.
    if (indexes.some((index) => index.isWatching() && !index.isOdd())) return undefined
    if (performance.now() < this.nextScanMs) return undefined
    const found = await scanWorkspace(roots, limits)
    if (!found) this.nextScanMs = performance.now() + retryMs
    return found
  }

  /** The record of a directory as it is now. */
  private readonly recordNow = (path: string): IndexedDirectory | undefined => {
    for (const index of this.options.indexes) {
      const found = index.get(path)
      if (found) return found
    }
    return undefined
  }

  /** The record of a directory at the last picture. */
  private readonly recordBefore = (path: string): IndexedDirectory | undefined =>
    this.replaced.has(path) ? this.replaced.get(path) : this.recordNow(path)

  private changedBefore({ held }: Picture): Snapshot {
    return new IndexSnapshot(this.options.roots, held, this.recordBefore, this.replaced.keys())
  }

  private changedNow({ held }: Picture): Snapshot {
    return new IndexSnapshot(this.options.roots, held, this.recordNow, this.replaced.keys())
  }

  private whole(picture: Picture, at: RecordAt): Snapshot {
    return picture.kind === "scan" ? picture.entries : new Map(this.every(picture.held, at))
  }

  private *every(held: Held, at: RecordAt): Iterable<readonly [string, Entry]> {
    const paths = new Set(this.replaced.keys())
    for (const index of this.options.indexes) for (const { path } of index.all()) paths.add(path)
    yield* new IndexSnapshot(this.options.roots, held, at, paths)
  }
}

type RecordAt = (path: string) => IndexedDirectory | undefined

/** Entries as records of directories have them; only those of some directories are listed. */
class IndexSnapshot implements Snapshot {
  private readonly roots: readonly string[]
  private readonly held: Held
  private readonly at: RecordAt
  private readonly listed: ReadonlySet<string>

  constructor(roots: readonly string[], held: Held, at: RecordAt, listed: Iterable<string>) {
    this.roots = roots
    this.held = held
    this.at = at
    this.listed = new Set(listed)
  }

  get(path: string): Entry | undefined {
    if (this.held.some((names) => names.has(path))) return undefined
    const own = this.at(path)?.facts
    const found = this.roots.includes(path) ? own?.self : this.at(dirname(path))?.facts?.entries.get(basename(path))
    return found?.kind === "directory" && own?.isClosed ? { ...found, closed: true } : found
  }

  has(path: string): boolean {
    return this.get(path) !== undefined
  }

  *[Symbol.iterator](): Iterator<readonly [string, Entry]> {
    for (const path of this.listed) {
      // Others are reported with the folder that they are in.
      const own = this.roots.includes(path) || !this.listed.has(dirname(path)) ? this.get(path) : undefined
      if (own) yield [path, own]
      for (const [name, entry] of this.at(path)?.facts?.entries ?? []) {
        const below = `${path}/${name}`
        if (this.held.some((names) => names.has(below))) continue
        const isClosed = entry.kind === "directory" && this.at(below)?.facts?.isClosed
        yield [below, isClosed ? { ...entry, closed: true } : entry]
      }
    }
  }
}

function withoutHeld(snapshot: Map<string, Entry>, held: Held): Map<string, Entry> {
  if (held.every((names) => names.size === 0)) return snapshot
  return new Map([...snapshot].filter(([path]) => !held.some((names) => names.has(path))))
}
