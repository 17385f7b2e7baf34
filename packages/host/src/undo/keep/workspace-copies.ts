import { join } from "node:path"
import { SecondThread, type WorkspaceIndex } from "../../workspace-index/index.js"
import type { ObserveLimits } from "../record/observe-limits.js"
import type { Picture, Pictures } from "../record/pictures.js"
import type { Entry } from "../record/scan-workspace.js"
import { ContentPack } from "./content-pack.js"
import { type KeepGrant, type KeepSource, KeptContents } from "./keep-contents.js"

/** Which files are copied, and where to. */
export interface WorkspaceCopiesOptions {
  readonly roots: readonly string[]
  readonly indexes: readonly WorkspaceIndex[]
  readonly sessionFolder: string
  readonly limits: ObserveLimits
  readonly pictures: Pictures
}

/** The copies of a workspace's files from before a command: some are made when it begins, the others while idle. */
export class WorkspaceCopies {
  readonly pack: ContentPack
  private readonly options: WorkspaceCopiesOptions
  private readonly contents: KeptContents
  private lastGrant: KeepGrant | undefined
  /** How many files waited when the last command began: these are copied while idle. */
  private backlog = 0

  constructor(options: WorkspaceCopiesOptions) {
    const { sessionFolder, limits } = options
    this.options = options
    this.pack = new ContentPack(join(sessionFolder, "before"), limits.totalBytes * 4)
    this.contents = new KeptContents(this.pack, limits)
  }

  /** Copies what the next command may change; at the first time as much as there is time for. */
  async keep(picture: Picture, grant: KeepGrant): Promise<void> {
    const { contents } = this
    this.lastGrant = grant
    const isFirst = this.advance(picture)
    const source = this.sourceOf(picture, grant)
    if (grant.writes?.length) await contents.keepNamed(this.namedEntries(picture, grant.writes), source)
    const downTo = isFirst ? 0 : this.backlog
    // One that looked at the files just now (benchmark: workspace-size, first write).
    const thread = SecondThread.running
    await contents.keepWaiting(source, { maxMs: this.options.limits.keepMs, downTo, thread })
    this.backlog = contents.waitingCount
  }

  /** Copies for so long what waits; false when nothing is to be copied. */
  async keepWhileIdle(picture: Picture, maxMs: number): Promise<boolean> {
    const { contents, lastGrant } = this
    // To start over would lose what the command that runs now may have changed already.
    if (!lastGrant || !contents.hasWaiting() || this.pack.isFull) return false
    await contents.keepWaiting(this.sourceOf(picture, lastGrant), { maxMs })
    this.backlog = Math.min(this.backlog, contents.waitingCount)
    return true
  }

  /** The picture to compare with is this one from now on; true when all files were offered for copying. */
  advance(picture: Picture): boolean {
    const { contents } = this
    const { pictures } = this.options
    if (picture.kind === "scan" || contents.isEmpty()) {
      pictures.begin()
      const now = pictures.before(picture)
      contents.offerAll(
        (offer) => pictures.eachFile(picture, offer),
        (path) => now.has(path),
      )
      return true
    }
    this.backlog = Math.min(this.backlog, contents.waitingCount)
    const replaced = pictures.begin()
    const now = pictures.before(picture)
    for (const [folder, before] of replaced) {
      for (const name of before?.facts?.entries.keys() ?? []) {
        const path = `${folder}/${name}`
        if (!now.has(path)) contents.forget(path)
      }
    }
    for (const [path, entry] of pictures.in(replaced.keys(), picture)) contents.offer(path, entry)
    return false
  }

  close(): void {
    this.pack.close()
  }

  private sourceOf(picture: Picture, grant: KeepGrant): KeepSource {
    return { snapshot: this.options.pictures.before(picture), grant, onDifferent: this.onDifferent }
  }

  /** What a command was judged to write; all of a root is no more than what waits anyway. */
  private *namedEntries(picture: Picture, writes: readonly string[]): Iterable<readonly [string, Entry]> {
    const { pictures, roots } = this.options
    const snapshot = pictures.before(picture)
    for (const path of writes) {
      const entry = snapshot.get(path)
      if (entry) yield [path, entry]
      if (entry?.kind === "directory" && !roots.includes(path)) yield* pictures.below(path, picture)
    }
  }

  private readonly onDifferent = (folder: string): void => {
    for (const index of this.options.indexes) index.suspect(folder)
  }
}
