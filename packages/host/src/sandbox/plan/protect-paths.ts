import { basename, dirname, join } from "node:path"
import { isInside, type SandboxSpec } from "@haft/contract"
import { CommittedFiles } from "@haft/git"
import { FoundInDirectories } from "../../workspace-index/index.js"
import type { Mask, Masks } from "../masks/find-masks.js"
import { deniedKind, isMask } from "../masks/follow-moved.js"
import type { SandboxOptions } from "../options.js"
import { type Approvals, approvalsOf } from "../protected/approvals.js"
import { type IsPlaceholder, ledgerOf } from "../protected/placeholder-ledger.js"
import { type ProtectedFolder, type ProtectedMounts, planProtectedMounts } from "../protected/protected-mounts.js"
import { isTemplate, protectedInRepository } from "../protected/protected-names.js"
import { type EndWatch, ProtectedWatch } from "../protected/protected-watch.js"
import type { Release, SandboxRequest } from "../sandbox.js"
import type { ViewRoot } from "../view/build-view.js"
import type { SessionRoots } from "./session-roots.js"

/** Placeholders of one command, and the end of them. */
export interface ProtectedCommand {
  readonly mounts: ProtectedMounts
  /** Gives the placeholders back, and reports what was made under names that no mount could hold. */
  release(): Promise<Release>
}

/** Keeps the protected paths of a session's roots from being written, renamed away or created by its commands. */
export class ProtectedPaths {
  private readonly ledger
  private readonly watch: ProtectedWatch
  private readonly repositories: FoundInDirectories<string>

  constructor(
    private readonly options: SandboxOptions,
    private readonly roots: SessionRoots,
  ) {
    const ledger = ledgerOf(options.haftHome)
    this.ledger = ledger
    this.repositories = new FoundInDirectories(roots.indexes, ({ path, holdsRepository, unread }) =>
      holdsRepository && unread === undefined ? path : undefined,
    )
    this.watch = new ProtectedWatch({
      indexes: roots.indexes,
      gitDirs: roots.gitDirs.map(({ path }) => path),
      committed: options.committed ?? roots.paths.map((root) => new CommittedFiles(root)),
      quarantine: join(options.sessionFolder, "quarantine"),
      placeholders: () => ledger?.held() ?? new Set(),
      assertInPlace: () => roots.assertInPlace(),
    })
  }

  /** Removes the placeholders that killed processes left. */
  async sweep(): Promise<void> {
    await this.ledger?.sweep()
  }

  /** Looks names and repositories up while the indexes are current; other commands may change them later. */
  lookUp(): void {
    this.watch.names()
    this.repositories.values()
  }

  /** A protected path that Haft itself wrote because a person allowed it. */
  accept(path: string): void {
    this.watch.accept(path)
  }

  async protect(request: SandboxRequest, shown: readonly ViewRoot[], masks: Masks): Promise<ProtectedCommand> {
    const mounts = await this.mountsFor(request, shown, masks)
    const endWatch = mounts === noMounts ? undefined : this.watchNames(request, shown, mounts, masks)
    return {
      mounts,
      release: async () => {
        try {
          if (mounts.absent.length > 0) await this.ledger?.release(mounts.absent)
        } catch (error) {
          await endWatch?.()
          throw error
        }
        return (await endWatch?.()) ?? { quarantined: [] }
      },
    }
  }

  private async mountsFor(request: SandboxRequest, shown: readonly ViewRoot[], masks: Masks): Promise<ProtectedMounts> {
    const { sandbox, mayDelete } = request
    const isGitDir = (path: string) => this.roots.gitDirs.some((one) => one.path === path)
    const writable = shown.filter(({ path, writable }) => writable && !isGitDir(path)).map(({ path }) => path)
    if (writable.length === 0) return noMounts
    const inside = [...writable.flatMap((root) => this.placesIn(root)), ...this.placesOfNames(writable, masks)]
    const places = [
      ...inside.map((place) => ({ ...place, leaves: place.path !== place.root && mayDelete?.(place.path) === true })),
      ...this.gitPlaces(),
      ...placesAbove([...this.heldMasks(masks, request), ...writable, ...(this.options.readable ?? [])], writable),
    ]
    const approvals = this.approvalsFor(sandbox)
    const plan = (isPlaceholder: IsPlaceholder, shared: boolean) =>
      planProtectedMounts({ places, approvals, isPlaceholder, shared })
    return this.ledger ? this.ledger.hold(plan) : plan(() => false, false)
  }

  private watchNames(
    { sandbox, mayDelete }: SandboxRequest,
    shown: readonly ViewRoot[],
    { frozen, links }: ProtectedMounts,
    masks: Masks,
  ): EndWatch {
    const held = new Set([...frozen, ...masks.mounts.filter(isMask).map(({ target }) => target)])
    return this.watch.begin({
      writable: shown.filter(({ writable }) => writable).map(({ path }) => path),
      approvals: this.approvalsFor(sandbox),
      isHeld: (path) => isInAny(path, held) && mayDelete?.(dirname(path)) !== true,
      links,
    })
  }

  private approvalsFor({ approved }: SandboxSpec): Approvals {
    return approvalsOf(
      approved.flatMap((path) => (path.startsWith("/") ? [path] : this.roots.paths.map((root) => `${root}/${path}`))),
    )
  }

  /** Folders below the roots with names that are there already, as many as mounts can reasonably hold. */
  private placesOfNames(writable: readonly string[], masks: Masks): readonly ProtectedFolder[] {
    const masked = new Set(masks.mounts.filter(isMask).map(({ target }) => target))
    const names = this.watch.names().filter(({ path, role, shown }) => {
      const isListed = role === "plain" ? !isTemplate(basename(shown)) : role !== "pointer" && shown.includes("/.git/")
      return isListed && typeof path === "string" && !isInAny(path, masked)
    })
    return names
      .sort((one, other) => one.shown.length - other.shown.length)
      .flatMap(({ shown }): readonly ProtectedFolder[] => {
        const root = writable.find((one) => isInside(shown, one) && shown !== one)
        return root === undefined ? [] : [{ root, path: dirname(shown), names: [basename(shown)] }]
      })
      .slice(0, maxNames)
  }

  /** The root itself and the repositories in it, as many as mounts can reasonably hold. */
  private placesIn(root: string): readonly ProtectedFolder[] {
    const found = [root]
    for (const path of this.repositories.values()) {
      if (path !== root && isInside(path, root) && found.length < maxPlaces) found.push(path)
    }
    return found.map((path) => ({ root, path }))
  }

  /**
   * Masks that must stay where they are. A file that rules deny by its name alone may move with its folder where the
   * command was judged to move or remove that; it is found again. Otherwise another command could be starting meanwhile.
   */
  private heldMasks({ mounts }: Masks, { denies, mayDelete }: SandboxRequest): readonly string[] {
    const mayGo = (mask: Mask) => {
      const root = this.roots.paths.find((one) => isInside(mask.target, one)) ?? "/"
      const isDeniedAnywhere = denies(deniedKind(mask), join(root, "another", "folder", basename(mask.target)))
      return isDeniedAnywhere && mayDelete?.(dirname(mask.target)) === true
    }
    return mounts.flatMap((mount) => (isMask(mount) && !mayGo(mount) ? [mount.target] : []))
  }

  private gitPlaces(): readonly ProtectedFolder[] {
    const shared = this.roots.gitDirs.filter(({ write }) => write)
    return shared.map(({ path }) => ({ root: path, path, names: protectedInRepository }))
  }
}

/** Each place costs about three dozen mounts. */
const maxPlaces = 8
/** Each name costs a mount, and one for each folder above it. */
const maxNames = 128

const noMounts: ProtectedMounts = { ancestors: [], frozen: [], absent: [], links: [], shared: false }

/**
 * Folders above what is masked because of where it is, and above what the view shows by its path: renamed, the one
 * would have another name for the next command and no mask, and a link could take the place of the other.
 */
function placesAbove(paths: readonly string[], writable: readonly string[]): readonly ProtectedFolder[] {
  return [...new Set(paths.map((path) => dirname(path)))].flatMap((path) => {
    const root = writable.find((one) => isInside(path, one))
    return root === undefined ? [] : [{ root, path, names: [] }]
  })
}

/** Whether a path is one of these or is in one. */
function isInAny(path: string, folders: ReadonlySet<string>): boolean {
  for (let one = path; one !== "/"; one = dirname(one)) if (folders.has(one)) return true
  return false
}
