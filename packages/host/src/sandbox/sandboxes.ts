import { existsSync, realpathSync, rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { isInside, type MaskCoverage, type SandboxSpec, ToolError } from "@haft/contract"
import { CommittedFiles } from "../git-index/index.js"
import { refused } from "../outside/plan-names.js"
import { type StagedOutside, stageOutside } from "../outside/stage-outside.js"
import { createSandboxTrust, type SandboxTrust } from "../proxy/registry/sandbox-trust.js"
import { createBundles, createSandboxNetwork, type SandboxNetwork } from "../proxy/sandbox-network.js"
import { unlessAborted } from "../wait.js"
import { FoundInDirectories, WorkspaceIndex } from "../workspace-index/index.js"
import { searchPath } from "./environment/environment.js"
import type { Limiter } from "./limit/limiter.js"
import { createMoveFollower, deniedKind, isMask, type Mask } from "./masks/follow-moved.js"
import { createLinkFinder } from "./masks/hard-links.js"
import { createMasks, type MaskRules, type Masks, maxMasks } from "./masks/masks-of.js"
import { standingMasks } from "./masks/standing-masks.js"
import { createUnreadLook } from "./masks/unread-folders.js"
import { withStandingMasks } from "./masks/with-standing-masks.js"
import type { SandboxOptions } from "./options.js"
import { type ChosenBackend, noBackend } from "./plan/choose-backend.js"
import { noneOfRequest, prepareSandbox, viewOf } from "./plan/prepare-sandbox.js"
import { holdTree } from "./plan/session-roots.js"
import { type Ground, layGround } from "./plan/set-up.js"
import { prepareUnconfined, unconfinedReason } from "./plan/unconfined.js"
import { createSpares } from "./prewarm/pool.js"
import { type Approvals, approvalsOf } from "./protected/approvals.js"
import { ledgerOf } from "./protected/held-names.js"
import { type HoldPlace, type Holds, planHolds } from "./protected/plan-holds.js"
import { isTemplate, protectedInRepository } from "./protected/protected-names.js"
import { type EndWatch, ProtectedWatch } from "./protected/protected-watch.js"
import type { IsStub } from "./protected/stub-ledger.js"
import type { PreparedSandbox, Release, Sandboxes, SandboxRequest } from "./sandbox.js"
import { showsProgram } from "./shows-program.js"
import { isVisible, type ViewRoot } from "./view/build-view.js"
import type { Mount } from "./view/mount.js"
import { privateFolders } from "./view/system-mounts.js"

/** Makes the sandbox of a session. The machine is looked at when the first command comes, not before. */
export async function createSandboxes(options: SandboxOptions): Promise<Sandboxes> {
  const roots = options.roots.map((root, index) => options.opened?.[index]?.path ?? real(root))
  const wide = roots.filter((root, index) => options.isWide?.(options.roots[index]!) || options.isWide?.(root))
  const guarded = [...wide, options.home, options.haftHome, ...(options.hidden ?? [])].map(real)
  // A wide root holds the programs of the machine as well, so that nothing could be taken from outside of it.
  const projects = roots.filter((root) => !wide.includes(root))
  const gitDirs = (options.gitDirs ?? []).map(({ path, write }) => ({ path: real(path), write }))
  const trees = roots.map((path, index) => holdTree({ ...options.opened?.[index], path }))
  const held = [...trees, ...gitDirs.filter(({ path }) => existsSync(path)).map(({ path }) => holdTree({ path }))]
  const indexes =
    options.indexes ??
    trees.map(({ path, at }, index) => {
      const cookieFolder = join(options.sessionFolder, "index", String(index))
      return new WorkspaceIndex({ root: path, at, skip: privateFolders, cookieFolder })
    })
  const repositories = new FoundInDirectories(indexes, ({ path, holdsRepository, unread }) =>
    holdsRepository && unread === undefined ? path : undefined,
  )
  let commands = 0
  let idle: NodeJS.Timeout | undefined
  const findMasks = createMasks(indexes)
  const followMoved = createMoveFollower(indexes)
  const findLinks = createLinkFinder(indexes)
  const lookThroughUnread = createUnreadLook(indexes)
  const ledger = ledgerOf(options.haftHome)
  const watch = new ProtectedWatch({
    indexes,
    gitDirs: gitDirs.map(({ path }) => path),
    committed: options.committed ?? roots.map((root) => new CommittedFiles(root)),
    quarantine: join(options.sessionFolder, "quarantine"),
    placeholders: () => ledger?.held() ?? new Set(),
    assertInPlace() {
      for (const tree of trees) tree.assertInPlace()
    },
  })
  const spares = createSpares()
  let ground: Promise<Ground> | undefined
  // Also of grounds that were given up: commands that stood on them may still run.
  const limiters = new Set<Limiter>()
  let bundles: ReturnType<typeof createBundles> | undefined
  let plainPath: readonly string[] | undefined
  await ledger?.sweep()

  async function prepare(asked: SandboxRequest): Promise<PreparedSandbox> {
    asked.signal.throwIfAborted()
    for (const tree of trees) tree.assertInPlace()
    const request = { ...asked, directory: real(asked.directory) }
    const reason = unconfinedReason(options.policy, request.sandbox)
    if (reason !== undefined) return unconfined(request, reason)
    const [laid, masks] = await unlessAborted(
      Promise.all([groundNow(), watchWorkspace().then(() => masksFor(request))]),
      request.signal,
    )
    limiters.add(laid.limiter)
    if (!("backend" in laid.chosen)) {
      ground = undefined
      await laid.limiter.close()
      if (options.policy === "preferred") return unconfined(request, "no sandbox can be set up here")
      throw noBackend(laid.chosen)
    }
    assertHidden(masks)
    return confined(request, laid, laid.chosen, masks)
  }

  /** A session of one command, and most are, does not pay for watches: they are set for the second, or while idle. */
  async function watchWorkspace(): Promise<void> {
    commands += 1
    clearTimeout(idle)
    if (commands > 1) for (const index of indexes) await index.watch(scanLimits)
    else {
      idle = setTimeout(() => {
        for (const index of indexes) void index.watchWhenIdle(scanLimits).catch(() => undefined)
      }, idleMs).unref()
    }
  }

  /** Laid once; a failure tells about its moment only, and the next command tries again. */
  function groundNow(): Promise<Ground> {
    if (ground) return ground
    const laying = layGround(options, projects)
    ground = laying
    laying.catch(() => {
      if (ground === laying) ground = undefined
    })
    return laying
  }

  async function confined(
    request: SandboxRequest,
    laid: Ground,
    chosen: ChosenBackend,
    masks: Masks,
  ): Promise<PreparedSandbox> {
    const notes = await laid.quota.enter()
    try {
      // Folders that were emptied held the mount points of a sandbox that waits.
      if (notes.length > 0) await spares.drop()
      return await inRoom(request, laid, chosen, masks, notes)
    } catch (error) {
      laid.quota.leave()
      throw error
    }
  }

  async function inRoom(
    request: SandboxRequest,
    laid: Ground,
    chosen: ChosenBackend,
    masks: Masks,
    notes: readonly string[],
  ): Promise<PreparedSandbox> {
    const shown = rootsFor(request, masks)
    const outside = await stage(request, laid, chosen)
    try {
      return await withOutside(request, { laid, chosen, masks, notes, shown, outside })
    } catch (error) {
      await outside?.dispose()
      throw error
    }
  }

  /** Copies what the command may change outside the roots; refuses what cannot be done that way. */
  async function stage(
    request: SandboxRequest,
    laid: Ground,
    chosen: ChosenBackend,
  ): Promise<StagedOutside | undefined> {
    const { sandbox, denies, mayRead = () => false, lasting, signal } = request
    if (!sandbox.outside?.length || !sandbox.profile.startsWith("workspace-write")) return undefined
    const { path } = sandbox.outside[0]!
    if (lasting) throw refused(path, "a process that outlives its call cannot", "Run it with a call that ends")
    if (chosen.backend.level !== "namespaces") throw refused(path, `the sandbox ${chosen.detected.label} cannot`)
    const bare = viewOf({ options, ground: laid, roots: [], ...noneOfRequest })
    const state = [...laid.state, ...laid.home.mounts].map(({ target }) => target)
    const shownFolders = [...roots, ...gitDirs.map((one) => one.path), ...(options.readable ?? [])]
    const staged = await stageOutside({
      ...{ writes: sandbox.outside, denies, mayRead, signal },
      bounds: {
        inside: [...roots, ...gitDirs.map((one) => one.path), ...laid.state.map(({ target }) => target)],
        hidden: laid.hidden,
        roots,
        home: real(options.home),
      },
      folder: join(options.sessionFolder, "outside"),
      identity: chosen.identity,
      targets: [...shownFolders, ...state],
      home: laid.places.find(({ target }) => target === laid.home.path),
      isShown: (shown) => isVisible(shown, bare),
    })
    if (!staged) return undefined
    // What was copied is not the command's; what it adds is.
    laid.quota.allow(staged.bytes)
    const dispose = () => staged.dispose().finally(() => laid.quota.allow(-staged.bytes))
    return { ...staged, dispose }
  }

  interface Prepared {
    readonly laid: Ground
    readonly chosen: ChosenBackend
    readonly masks: Masks
    readonly notes: readonly string[]
    readonly shown: readonly ViewRoot[]
    readonly outside: StagedOutside | undefined
  }

  async function withOutside(
    request: SandboxRequest,
    { laid, chosen, masks, notes, shown, outside }: Prepared,
  ): Promise<PreparedSandbox> {
    const network = chosen.backend.reach === "none" ? undefined : await networkFor(request, laid)
    const listening = chosen.backend.reach === "port" ? await network?.listen() : undefined
    const holds = await holdNames(request, shown, masks)
    const endWatch = holds === noHolds ? undefined : watchNames(request, shown, holds, masks)
    const releaseHolds = async (): Promise<Release> => {
      try {
        if (holds.absent.length > 0) await ledger?.release(holds.absent)
      } catch (error) {
        await endWatch?.()
        throw error
      }
      return (await endWatch?.()) ?? { quarantined: [] }
    }
    // What the machine allowed before, it does not allow now: found out again before the next command.
    const onFailure = () => {
      chosen.cache.drop()
      ground = undefined
    }
    try {
      const sandbox = prepareSandbox({
        request,
        options,
        ground: laid,
        chosen,
        roots: shown,
        masks,
        holds,
        outside,
        held,
        network,
        listening,
        spares,
        notes: [...notes, ...indexes.flatMap((index) => refusedNote(index))],
        releaseHolds,
        onFailure,
      })
      if (!request.lasting) return sandbox
      const writable = shown.some((root) => root.writable)
      const standing = standingMasks({ masks, rules: request, writable, masksNow: masksFor })
      return withStandingMasks(sandbox, standing, { roots, onLost: () => options.onMaskLost?.() })
    } catch (error) {
      await releaseHolds()
      throw error
    }
  }

  let covered: { readonly rulesKey: unknown; readonly coverage: MaskCoverage } | undefined

  async function masksFor(rules: MaskRules): Promise<Masks> {
    const found = await whileAllCurrent(indexes, async () => {
      // Looked up again while other commands change the indexes.
      watch.names()
      repositories.values()
      return lookThroughUnread(await findLinks(await followMoved(findMasks(rules), rules)), rules)
    })
    const masks = { ...found, mounts: withoutHidden(found.mounts) }
    const { complete, notes } = masks
    covered = { rulesKey: rules.rulesKey, coverage: { complete, notes } }
    return masks
  }

  /** Writable where the verdict says so; of a wide root only the folder that the command starts in, unless it is wide itself. */
  function rootsFor({ sandbox, directory }: SandboxRequest, masks: Masks): readonly ViewRoot[] {
    const writable = sandbox.profile.startsWith("workspace-write") && !masks.freezeRoot
    const shown = roots.flatMap((path): readonly ViewRoot[] => {
      if (!wide.includes(path)) return [{ path, writable, wide: false }]
      const start = writable && isInside(directory, path) && !isWide(directory)
      return [
        { path, writable: false, wide: true },
        ...(start ? [{ path: directory, writable: true, wide: false }] : []),
      ]
    })
    return [...shown, ...gitDirs.map(({ path, write }) => ({ path, writable: write && writable, wide: false }))]
  }

  function isWide(directory: string): boolean {
    return options.isWide?.(directory) === true || guarded.some((place) => isInside(place, directory))
  }

  async function holdNames(request: SandboxRequest, shown: readonly ViewRoot[], masks: Masks): Promise<Holds> {
    const { sandbox, mayDelete } = request
    const writable = shown.filter(({ path, writable }) => writable && !isGitDir(path)).map(({ path }) => path)
    if (writable.length === 0) return noHolds
    const inside = [...writable.flatMap((root) => placesIn(root)), ...placesOfNames(writable, masks)]
    const places = [
      ...inside.map((place) => ({ ...place, leaves: place.path !== place.root && mayDelete?.(place.path) === true })),
      ...gitPlaces(),
      ...placesAbove([...heldMasks(masks, request), ...writable, ...(options.readable ?? [])], writable),
    ]
    const approvals = approvalsFor(sandbox)
    const plan = (isStub: IsStub, shared: boolean) => planHolds({ places, approvals, isStub, shared })
    return ledger ? ledger.hold(plan) : plan(() => false, false)
  }

  function approvalsFor({ approved }: SandboxSpec): Approvals {
    return approvalsOf(
      approved.flatMap((path) => (path.startsWith("/") ? [path] : roots.map((root) => `${root}/${path}`))),
    )
  }

  function watchNames(
    { sandbox, mayDelete }: SandboxRequest,
    shown: readonly ViewRoot[],
    { frozen, links }: Holds,
    masks: Masks,
  ): EndWatch {
    const held = new Set([...frozen, ...masks.mounts.filter(isMask).map(({ target }) => target)])
    return watch.begin({
      writable: shown.filter(({ writable }) => writable).map(({ path }) => path),
      approvals: approvalsFor(sandbox),
      isHeld: (path) => liesInAny(path, held) && mayDelete?.(dirname(path)) !== true,
      links,
    })
  }

  /** Folders below the roots with names that are there already, as many as mounts can reasonably hold. */
  function placesOfNames(writable: readonly string[], masks: Masks): readonly HoldPlace[] {
    const masked = new Set(masks.mounts.filter(isMask).map(({ target }) => target))
    const names = watch.names().filter(({ path, role, shown }) => {
      const isListed = role === "plain" ? !isTemplate(basename(shown)) : role !== "pointer" && shown.includes("/.git/")
      return isListed && typeof path === "string" && !liesInAny(path, masked)
    })
    return names
      .sort((one, other) => one.shown.length - other.shown.length)
      .flatMap(({ shown }): readonly HoldPlace[] => {
        const root = writable.find((one) => isInside(shown, one) && shown !== one)
        return root === undefined ? [] : [{ root, path: dirname(shown), names: [basename(shown)] }]
      })
      .slice(0, maxNames)
  }

  /** The root itself and the repositories in it, as many as mounts can reasonably hold. */
  function placesIn(root: string): readonly HoldPlace[] {
    const found = [root]
    for (const path of repositories.values()) {
      if (path !== root && isInside(path, root) && found.length < maxPlaces) found.push(path)
    }
    return found.map((path) => ({ root, path }))
  }

  /**
   * Folders above what is masked because of where it lies, and above what the view shows by its path: renamed, the one
   * would have another name for the next command and no mask, and a link could stand in the place of the other.
   */
  function placesAbove(paths: readonly string[], writable: readonly string[]): readonly HoldPlace[] {
    return [...new Set(paths.map((path) => dirname(path)))].flatMap((path) => {
      const root = writable.find((one) => isInside(path, one))
      return root === undefined ? [] : [{ root, path, names: [] }]
    })
  }

  /**
   * What must stay where it is. A file that rules deny by its name alone may go with its folder where the command was
   * judged to move or remove that; it is found again. Otherwise another command could be starting meanwhile.
   */
  function heldMasks({ mounts }: Masks, { denies, mayDelete }: SandboxRequest): readonly string[] {
    const mayGo = (mask: Mask) => {
      const root = roots.find((one) => isInside(mask.target, one)) ?? "/"
      const isDeniedAnywhere = denies(deniedKind(mask), join(root, "another", "folder", basename(mask.target)))
      return isDeniedAnywhere && mayDelete?.(dirname(mask.target)) === true
    }
    return mounts.flatMap((mount) => (isMask(mount) && !mayGo(mount) ? [mount.target] : []))
  }

  function isGitDir(path: string): boolean {
    return gitDirs.some((one) => one.path === path)
  }

  function gitPlaces(): readonly HoldPlace[] {
    const shared = gitDirs.filter(({ write }) => write)
    return shared.map(({ path }) => ({ root: path, path, names: protectedInRepository }))
  }

  async function networkFor(
    { sandbox, onDecision }: SandboxRequest,
    laid: Ground,
  ): Promise<SandboxNetwork | undefined> {
    const netGrants = sandbox.profile === "workspace-write+net" ? (options.netGrants ?? []) : []
    if (sandbox.hosts.length === 0 && netGrants.length === 0) return undefined
    bundles ??= createBundles({
      home: options.home,
      searchPath: laid.searchPath,
      roots,
      variables: options.variables ?? process.env,
    })
    return createSandboxNetwork({
      hosts: sandbox.hosts,
      netGrants: (options.netGrants ?? []).filter(
        (grant) => netGrants.includes(grant) || sandbox.hosts.includes(grant),
      ),
      bundle: bundles,
      ...(options.proxy && { proxy: options.proxy }),
      ...(options.registries && { registries: { known: options.registries, trust } }),
      ...(options.ownPorts && { ownPorts: options.ownPorts }),
      onDecision(decision) {
        onDecision?.(decision)
        options.onDecision?.(decision)
      },
    })
  }

  function trust(certificates: readonly string[]): SandboxTrust {
    const folder = join(options.sessionFolder, "sandbox")
    return createSandboxTrust({ folder, certificates, variables: options.variables ?? process.env })
  }

  function unconfined(request: SandboxRequest, reason: string): PreparedSandbox {
    plainPath ??= searchPath(options.path, projects)
    return prepareUnconfined({ request, options, searchPath: plainPath, reason })
  }

  return {
    prepare,
    async shows(program, sandbox) {
      if (unconfinedReason(options.policy, sandbox) !== undefined) return true
      const laid = await groundNow()
      const shown = roots.map((path) => ({ path, writable: false, wide: wide.includes(path) }))
      return !("backend" in laid.chosen) || showsProgram(program, { ground: laid, options, roots: shown })
    },
    async coverage(rules) {
      // Every command scans anyway: what the last one found under the same rules is new enough to decide by.
      if (rules.rulesKey === undefined || covered?.rulesKey !== rules.rulesKey) await masksFor(rules)
      return covered!.coverage
    },
    rulesChanged: () => spares.drop(),
    wrote: (path) => watch.accept(path),
    async close() {
      await spares.close()
      const laid = await ground?.catch(() => undefined)
      if (laid) limiters.add(laid.limiter)
      for (const limiter of limiters) await limiter.close()
      clearTimeout(idle)
      if (!options.indexes) for (const index of indexes) index.close()
      for (const tree of held) tree.close()
      rmSync(join(options.sessionFolder, "sandbox"), { recursive: true, force: true })
    },
  }
}

const scanLimits = { maxMs: 3000, maxEntries: 200_000 }
/** So long after the first command the workspace is watched, if no other came before. */
const idleMs = 100

function refusedNote(index: WorkspaceIndex): readonly string[] {
  const reason = index.whyRefused()
  return reason === undefined ? [] : [`the workspace is scanned for every command, because ${reason}`]
}

/** Brings indexes up to date and works while nothing changes them. */
function whileAllCurrent<Result>(indexes: readonly WorkspaceIndex[], work: () => Promise<Result>): Promise<Result> {
  const [first, ...others] = indexes
  return first ? first.whileCurrent(scanLimits, () => whileAllCurrent(others, work)) : work()
}
/** Each place costs about three dozen mounts. */
const maxPlaces = 8
/** Each name costs a mount, and one for each folder above it. */
const maxNames = 128

const noHolds: Holds = { ancestors: [], frozen: [], absent: [], links: [], shared: false }

/** Whether a path is one of these or lies in one. */
function liesInAny(path: string, folders: ReadonlySet<string>): boolean {
  for (let one = path; one !== "/"; one = dirname(one)) if (folders.has(one)) return true
  return false
}

/** Without what lies in a folder that is hidden as a whole: nothing is there inside that could be covered. */
function withoutHidden(mounts: readonly Mount[]): readonly Mount[] {
  const folders = mounts.flatMap((mount) => (mount.kind === "hide" && mount.what === "directory" ? [mount.target] : []))
  const seen = new Set<string>()
  return mounts.filter(({ kind, target }) => {
    const isFirst = !seen.has(`${kind} ${target}`)
    seen.add(`${kind} ${target}`)
    return isFirst && !folders.some((folder) => folder !== target && isInside(target, folder))
  })
}

/** A command that runs although something that rules deny is open to it was never what anybody approved. */
function assertHidden({ mounts }: Masks): void {
  const count = mounts.filter(({ kind }) => kind === "hide").length
  if (count <= maxMasks) return
  throw new ToolError(
    "too_large",
    `Cannot run a command: rules deny ${count} files of the workspace, and a sandbox hides at most ${maxMasks} one by one`,
    { hint: "Deny the folder that they lie in as a whole, or move them out of the workspace" },
  )
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
