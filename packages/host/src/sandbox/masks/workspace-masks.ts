import { type FactsRequest, isInside, ToolError, type WorkspaceFacts } from "@haft/contract"
import { createTurns, type Turns } from "../../workspace-index/create-turns.js"
import type { WorkspaceIndex } from "../../workspace-index/index.js"
import type { Mount } from "../view/mount.js"
import { createMasks, createUnreadLook, type MaskRules, type Masks, maxMasks } from "./find-masks.js"
import { createMoveFollower } from "./follow-moved.js"
import { createLinkFinder } from "./hard-links.js"

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
  private last: { readonly rulesKey: unknown; readonly masks: Masks; readonly since: Turns } | undefined

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
    this.last = { rulesKey: rules.rulesKey, masks, since: createTurns() }
    return masks
  }

  /**
   * The masks of a command that starts now. Those that it was judged by count where it is the first one: until it starts,
   * nothing of this session can have changed the workspace.
   */
  async forCommand(rules: MaskRules, isFirst: boolean, onCurrent: () => void): Promise<Masks> {
    const judged = isFirst && !this.indexes.some((index) => index.isChanging()) ? this.found(rules) : undefined
    if (!judged || judged.since.isOver(freshMs)) return this.find(rules, onCurrent)
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
