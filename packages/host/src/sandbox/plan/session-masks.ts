import { type CoverageRequest, isInside, type MaskCoverage, ToolError } from "@haft/contract"
import { createMasks, createUnreadLook, type MaskRules, type Masks, maxMasks } from "../masks/find-masks.js"
import { createMoveFollower } from "../masks/follow-moved.js"
import { createLinkFinder } from "../masks/hard-links.js"
import type { Mount } from "../view/mount.js"
import type { SessionRoots } from "./session-roots.js"

/** Finds what the rules deny in the roots of a session, and how to cover it. */
export class SessionMasks {
  private readonly findMasks
  private readonly followMoved
  private readonly findLinks
  private readonly lookThroughUnread
  private last: { readonly rulesKey: unknown; readonly masks: Masks; readonly atMs: number } | undefined

  /** `whileCurrent` is called when the indexes are up to date: what else reads them is looked up then. */
  constructor(
    private readonly roots: SessionRoots,
    private readonly whileCurrent: () => void,
  ) {
    this.findMasks = createMasks(roots.indexes)
    this.followMoved = createMoveFollower(roots.indexes)
    this.findLinks = createLinkFinder(roots.indexes)
    this.lookThroughUnread = createUnreadLook(roots.indexes)
  }

  async find(rules: MaskRules): Promise<Masks> {
    const found = await this.roots.whileCurrent(async () => {
      this.whileCurrent()
      return this.lookThroughUnread(await this.findLinks(await this.followMoved(this.findMasks(rules), rules)), rules)
    })
    const masks = { ...found, mounts: withoutHidden(found.mounts) }
    this.last = { rulesKey: rules.rulesKey, masks, atMs: performance.now() }
    return masks
  }

  /**
   * The masks of a command that starts now. Those that it was judged by count where it is the first one: until it starts,
   * nothing of this session can have changed the workspace.
   */
  async forCommand(rules: MaskRules): Promise<Masks> {
    const judged = this.roots.isFirstCommand() ? this.found(rules) : undefined
    return judged && performance.now() - judged.atMs < freshMs ? judged.masks : this.find(rules)
  }

  async coverage(request: CoverageRequest): Promise<MaskCoverage> {
    // Every command scans anyway: what the last one found under the same rules is new enough to decide by.
    const known = this.found(request)
    if (!known && request.mayWrite) await this.roots.lookAtFiles()
    const { complete, notes } = known?.masks ?? (await this.find(request))
    return { complete, notes }
  }

  private found({ rulesKey }: MaskRules) {
    return rulesKey !== undefined && this.last?.rulesKey === rulesKey ? this.last : undefined
  }
}

/** A look that is younger than this counts as one of now: to look through a large workspace takes longer. */
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
    { hint: "Deny the folder that they lie in as a whole, or move them out of the workspace" },
  )
}
