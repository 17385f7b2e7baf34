import { join } from "node:path"
import { type FactsRequest, isInside, ToolError, type WorkspaceFacts } from "@haft/contract"
import { bigStatsOf, entriesOf } from "../../files/system/look.js"
import { createTurns, startCpuClock, type Turns } from "../../workspace-index/create-turns.js"
import type { IndexedDirectory, WorkspaceIndex } from "../../workspace-index/index.js"
import type { Mount } from "../view/mount.js"
import { createMasks, createUnreadLook, type Mask, type MaskRules, type Masks, maxMasks } from "./find-masks.js"
import { createMoveFollower } from "./follow-moved.js"

type Age = Pick<Turns, "isOver">

/** How far an index reads for masks and for the first look of the observer. */
export const scanLimits = { maxMs: 3000, maxEntries: 200_000 }

/**
 * Finds what the rules deny in the indexed roots, and how to cover it. Reads the indexes alone: a verdict asks for its facts
 * here before there is any sandbox, and the sandboxes of the session take their masks from the same place.
 */
export class WorkspaceMasks {
  private readonly findMasks
  private readonly followMoved
  private readonly findLinks
  private readonly lookThroughUnread
  private last: { readonly rulesKey: unknown; readonly masks: Masks; readonly since: Age | undefined } | undefined
  private isBeforeFirst = true

  constructor(private readonly indexes: readonly WorkspaceIndex[]) {
    this.findMasks = createMasks(indexes)
    this.followMoved = createMoveFollower(indexes)
    this.findLinks = createLinkFinder(indexes)
    this.lookThroughUnread = createUnreadLook(indexes)
  }

  /** What a verdict must know. What the last command found under the same rules is new enough: each command looks again. */
  async facts(request: FactsRequest): Promise<WorkspaceFacts> {
    const known = this.found(request)
    if (!known && request.mayWrite) for (const index of this.indexes) await index.look(scanLimits)
    const { complete, notes } = known?.masks ?? (await this.find(request))
    return { unmasked: complete ? [] : notes }
  }

  /** The masks of this moment. `onCurrent` is called when the indexes are up to date, for what else reads them. */
  async find(rules: MaskRules, onCurrent?: () => void): Promise<Masks> {
    const found = await this.whileCurrent(async () => {
      onCurrent?.()
      return this.lookThroughUnread(await this.findLinks(await this.followMoved(this.findMasks(rules), rules)), rules)
    })
    const masks = { ...found, mounts: withoutHidden(found.mounts) }
    this.last = { rulesKey: rules.rulesKey, masks, since: this.isBeforeFirst ? startCpuClock() : undefined }
    return masks
  }

  /**
   * The masks of a command that starts now. Those that it was judged by count where it is the first one: until it starts,
   * nothing of this session can have changed the workspace.
   */
  async forCommand(rules: MaskRules, isFirst: boolean, onCurrent: () => void): Promise<Masks> {
    this.isBeforeFirst = isFirst
    const judged = isFirst && !this.indexes.some((index) => index.isChanging()) ? this.found(rules) : undefined
    if (judged?.since?.isOver(freshMs) !== false) return this.find(rules, onCurrent)
    onCurrent()
    return judged.masks
  }

  /** Brings the indexes up to date and works while nothing changes them. */
  private whileCurrent<Result>(work: () => Promise<Result>, [first, ...others] = this.indexes): Promise<Result> {
    return first ? first.whileCurrent(scanLimits, () => this.whileCurrent(work, others)) : work()
  }

  private found({ rulesKey }: MaskRules) {
    return rulesKey !== undefined && this.last?.rulesKey === rulesKey ? this.last : undefined
  }
}

/**
 * A look that is younger than this counts as one of now: to look through a large workspace takes longer. Processor time
 * counts, so that a busy machine does not make the first command look twice.
 */
const freshMs = 100

/** Without what is in a folder that is hidden as a whole: nothing is there inside that could be covered. */
function withoutHidden(mounts: readonly Mount[]): readonly Mount[] {
  const folders = mounts.flatMap((mount) => (mount.kind === "hide" && mount.what === "directory" ? [mount.target] : []))
  const seen = new Set<string>()
  return mounts.filter(({ kind, target }) => {
    const isFirst = !seen.has(`${kind} ${target}`)
    seen.add(`${kind} ${target}`)
    return isFirst && !folders.some((folder) => folder !== target && isInside(target, folder))
  })
}

/** Refuses a command that would run although something that rules deny is open to it: nobody approved that. */
export function assertHidden({ mounts }: Masks): void {
  const count = mounts.filter(({ kind }) => kind === "hide").length
  if (count <= maxMasks) return
  throw new ToolError(
    "too_large",
    `Cannot run a command: rules deny ${count} files of the workspace, and a sandbox hides at most ${maxMasks} one by one`,
    { hint: "Deny the folder that they are in as a whole, or move them out of the workspace" },
  )
}

/**
 * Covers other names of what is covered: a hard link is the same file under a name that no rule denies. Only files that
 * have more names than are covered are searched for, first in the index, then in the folders that it leaves out; where the
 * search found all that there is to find, it is repeated only when a name came or went, which the file itself tells.
 */
function createLinkFinder(indexes: readonly WorkspaceIndex[]): (masks: Masks) => Promise<Masks> {
  const numbers = new WeakMap<IndexedDirectory, ReadonlyMap<string, bigint>>()
  let known = new Map<string, Linked>()
  return async (masks) => {
    const files = linkedFiles(masks)
    const open = [...files.values()].filter((file) => !isSettled(file, known.get(file.key)))
    const isWhole = open.length === 0 || (await search(new Map(open.map((file) => [file.key, file])), indexes, numbers))
    for (const file of files.values()) if (!open.includes(file)) file.others = known.get(file.key)?.others ?? []
    known = isWhole ? files : new Map()
    return {
      ...masks,
      mounts: [
        ...masks.mounts,
        ...[...files.values()].flatMap(({ mask, others }) => others.map((at) => moved(mask, at))),
      ],
      notes: isWhole ? masks.notes : [...masks.notes, notFound],
      complete: masks.complete && isWhole,
    }
  }
}

const notFound =
  "a file that rules deny has further names, and not all folders could be looked through for them in time"
const linksMaxMs = 3000

/** A denied file with more than one name. */
interface Linked {
  readonly key: string
  readonly mask: Mask
  /** Changes whenever a name of it comes or goes. */
  readonly stamp: string
  /** How many names it has on the whole machine. */
  readonly count: number
  /** Those that rules deny. */
  readonly covered: Set<string>
  /** Those that they do not. */
  others: readonly string[]
}

/** The covered files that have names which are not. */
function linkedFiles({ mounts, linked: inFolders }: Masks): Map<string, Linked> {
  const linked = new Map<string, Linked>()
  const covered = mounts.flatMap((mount) =>
    mount.kind === "read" || (mount.kind === "hide" && mount.what === "file") ? [mount] : [],
  )
  const below = inFolders.map(
    ({ path, hidden }): Mask =>
      hidden ? { kind: "hide", target: path, what: "file" } : { kind: "read", source: path, target: path },
  )
  // What is hidden first: a name of it that can only not be written is still one to hide.
  const all = [...covered, ...below]
  const [hidden, frozen] = [all.filter(({ kind }) => kind === "hide"), all.filter(({ kind }) => kind === "read")]
  for (const mask of [...hidden, ...frozen]) {
    const facts = bigStatsOf(mask.target)
    if (!facts?.isFile() || facts.nlink < 2n) continue
    const key = `${facts.dev}:${facts.ino}`
    const stamp = `${facts.nlink}:${facts.ctimeNs}`
    const file = linked.get(key) ?? { key, mask, stamp, count: Number(facts.nlink), covered: new Set(), others: [] }
    if (file.mask.kind === mask.kind) file.covered.add(mask.target)
    linked.set(key, file)
  }
  for (const [key, { count, covered: names }] of linked) if (names.size >= count) linked.delete(key)
  return linked
}

function isSettled({ key, stamp, covered, mask }: Linked, before: Linked | undefined): boolean {
  if (before?.stamp !== stamp || before.covered.size !== covered.size || before.mask.kind !== mask.kind) return false
  return before.others.every((path) => keyOf(path) === key)
}

/** Fills in the other names; false when there was no time for all folders. */
async function search(
  wanted: ReadonlyMap<string, Linked>,
  indexes: readonly WorkspaceIndex[],
  numbers: WeakMap<IndexedDirectory, ReadonlyMap<string, bigint>>,
): Promise<boolean> {
  const turns = createTurns()
  const inodes = new Set([...wanted.keys()].map((key) => BigInt(key.split(":")[1]!)))
  const take = (path: string, ino: bigint | undefined) => {
    if (ino === undefined || !inodes.has(ino)) return
    const file = wanted.get(keyOf(path) ?? "")
    if (file && !file.covered.has(path) && !file.others.includes(path)) file.others = [...file.others, path]
  }
  const isComplete = () =>
    [...wanted.values()].every(({ count, covered, others }) => covered.size + others.length >= count)
  for (const index of indexes) {
    for (const directory of index.directories()) {
      const known = numbers.get(directory) ?? numbersIn(directory)
      numbers.set(directory, known)
      for (const [name, ino] of known) take(join(directory.path, name), ino)
      if (turns.isOver(linksMaxMs)) return false
      await turns.breathe()
    }
  }
  const pending = isComplete() ? [] : indexes.flatMap((index) => index.unread())
  for (let folder = pending.pop(); folder !== undefined && !isComplete(); folder = pending.pop()) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) pending.push(path)
      else if (entry.isFile()) take(path, bigStatsOf(path)?.ino)
    }
    if (turns.isOver(linksMaxMs)) return false
    await turns.breathe()
  }
  return true
}

/** Which name is which file; a name cannot get another one without a change of its directory, which makes a new record. */
function numbersIn({ path, entries }: IndexedDirectory): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>()
  for (const name of entries.files) {
    const facts = bigStatsOf(join(path, name))
    if (facts) found.set(name, facts.ino)
  }
  return found
}

function moved(mask: Mask, target: string): Mask {
  return mask.kind === "hide" ? { kind: "hide", target, what: "file" } : { kind: "read", source: target, target }
}

function keyOf(path: string): string | undefined {
  const facts = bigStatsOf(path)
  return facts && `${facts.dev}:${facts.ino}`
}
