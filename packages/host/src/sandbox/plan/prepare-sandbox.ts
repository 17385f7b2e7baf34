import { randomBytes } from "node:crypto"
import { chownSync, lstatSync, mkdirSync, renameSync } from "node:fs"
import { type Isolation, isInside, ToolError } from "@haft/contract"
import type { StagedOutside } from "../../outside/stage-outside.js"
import type { ListeningNetwork, SandboxNetwork } from "../../proxy/sandbox-network.js"
import type { Identity } from "../backend.js"
import { keptOut } from "../environment/environment.js"
import { shownProgram } from "../environment/programs.js"
import type { OwnedLaunch } from "../launch/launch.js"
import { planLaunch } from "../launch/plan-launch.js"
import type { Masks } from "../masks/find-masks.js"
import type { SandboxOptions } from "../options.js"
import type { PrewarmPool } from "../prewarm/pool.js"
import { prewarmPlan } from "../prewarm/prewarmed-sandbox.js"
import type { ProtectedMounts } from "../protected/protected-mounts.js"
import type { PreparedOutside, PreparedSandbox, Release, SandboxRequest } from "../sandbox.js"
import { buildView, isVisible, type ViewRoot, withVariant } from "../view/build-view.js"
import type { Mount } from "../view/mount.js"
import type { ChosenBackend } from "./choose-backend.js"
import type { HeldTree } from "./session-roots.js"
import type { SandboxHost } from "./set-up.js"

/** What the sandbox of one command is made from, all of it found out already. */
export interface SandboxParts {
  readonly request: SandboxRequest
  readonly options: SandboxOptions
  readonly host: SandboxHost
  readonly chosen: ChosenBackend
  readonly roots: readonly ViewRoot[]
  readonly masks: Masks
  readonly protectedMounts: ProtectedMounts
  /** Copies of what the command may change outside the workspace. */
  readonly outside?: StagedOutside | undefined
  /** The trees as they are held for the session; those that can be are shown from there. */
  readonly held: readonly HeldTree[]
  readonly network: SandboxNetwork | undefined
  /** Where the network listens, for a backend that reaches it at a port. */
  readonly listening: ListeningNetwork | undefined
  /** The prewarmed sandbox of the session. */
  readonly pool: PrewarmPool
  /** What to say about this command besides. */
  readonly notes: readonly string[]
  /** Gives the placeholders back, and reports what was made under names that no mount could hold. */
  readonly releaseProtected: () => Promise<Release>
  readonly onFailure: () => void
}

/** What of it decides what a command sees. */
export type ViewedParts = Pick<SandboxParts, "options" | "host" | "roots" | "network" | "outside"> & {
  readonly request?: Pick<SandboxRequest, "readable" | "data">
  readonly masks: Pick<Masks, "mounts">
  readonly protectedMounts: Pick<ProtectedMounts, "ancestors" | "frozen" | "absent">
}

/** Puts the sandbox together; nothing runs yet. */
export function prepareSandbox(parts: SandboxParts): PreparedSandbox {
  const { request, host, chosen, network } = parts
  const view = withVariant(viewOf(parts), chosen.probe.variant)
  assertVisible(request.directory, view)
  for (const mount of view) if ("makes" in mount && mount.makes !== undefined) makeWay(mount.makes, chosen.identity)
  const plan = planLaunch(parts, view)
  const launches: OwnedLaunch[] = []
  const own = <Held extends { readonly launch: OwnedLaunch } | undefined>(held: Held): Held => {
    if (held) launches.push(held.launch)
    return held
  }
  const visit = request.lasting ? undefined : parts.pool.enter(prewarmPlan(parts, view, plan))
  const shown = {
    searchPath: host.searchPath,
    isVisible: (path: string) => isVisible(path, view),
    isMasked: (path: string) => view.some((mount) => mount.kind === "hide" && isInside(path, mount.target)),
  }
  const inside = ([program = "", ...rest]: readonly string[]) => [shownProgram(program, shown), ...rest]
  let isReleased = false

  return {
    isolation: isolationOf(parts),
    isFiltered: isFiltered(chosen),
    placeholders: parts.protectedMounts.absent,
    ...(parts.outside && { outside: { staged: parts.outside, owner: ownerOf(chosen.identity) } }),
    launch(argv) {
      return own({ launch: plan(inside(argv)).launch() }).launch
    },
    takePrewarmed(argv) {
      return own(visit?.take(inside(argv)))
    },
    async release() {
      for (const made of launches) made.dispose()
      network?.close()
      const found = await parts.releaseProtected()
      if (!isReleased) host.quota.leave()
      isReleased = true
      visit?.leave()
      return found
    },
  }
}

/** What of a view depends on the one command, left out. */
export const noneOfRequest = {
  network: undefined,
  masks: { mounts: [] },
  protectedMounts: { ancestors: [], frozen: [], absent: [] },
} as const

/** What a command sees. */
export function viewOf(parts: ViewedParts): readonly Mount[] {
  const {
    options,
    host,
    roots,
    masks,
    protectedMounts,
    network,
    outside,
    request: { readable = [], data } = {},
  } = parts
  const self = (kind: "read" | "write", path: string): Mount => ({ kind, source: path, target: path })
  return buildView({
    system: host.system,
    home: host.home.mounts,
    outside: outside?.mounts ?? [],
    readable: [...(options.readable ?? []), ...readable].filter((path) => lstatSync(path, { throwIfNoEntry: false })),
    roots,
    hidden: host.hidden,
    places: host.places,
    state: [
      ...host.state,
      ...(data === undefined ? [] : [{ kind: "write", source: data, target: data, makes: data } as const]),
      ...(network ? programFor(network.relay.node, host.system) : []),
      ...(network?.files ?? []).map((path) => self("read", path)),
    ],
    protection: [
      ...byDepth(protectedMounts.ancestors).map((path) => self("write", path)),
      ...protectedMounts.frozen.map((path) => self("read", path)),
      ...protectedMounts.absent.map((target) => ({ kind: "placeholder", target }) as const),
    ],
    masks: [...host.masks, ...masks.mounts],
  })
}

/** The relay's own program, where the view does not show it anyway. */
function programFor(path: string, system: readonly Mount[]): readonly Mount[] {
  return isVisible(path, system) ? [] : [{ kind: "read", source: path, target: path }]
}

function isolationOf({ request, options, host, chosen, masks, network, roots, notes }: SandboxParts): Isolation {
  const { backend, detected, probe } = chosen
  return {
    level: backend.level,
    backend: detected.label,
    profile: request.sandbox.profile,
    network: network ? "proxy" : "none",
    limits: { enforcedBy: host.limiter.enforcedBy },
    notes: [
      ...(isFiltered(chosen) ? [] : ["no system-call filter"]),
      ...(probe.variant.processes ? [] : ["/proc is empty: this machine does not let a sandbox have its own"]),
      ...backend.notes(detected),
      ...(roots.some(({ wide }) => wide) ? ["a wide root is shown read-only"] : []),
      ...masks.notes,
      ...host.notes,
      ...notes,
      ...keptOut({
        from: options.variables ?? process.env,
        names: options.env ?? [],
        secretNames: options.envSecrets ?? [],
      }),
    ],
    ...(masks.unscanned.length > 0 && { unscanned: masks.unscanned }),
  }
}

function isFiltered({ probe }: ChosenBackend): boolean {
  return !probe.checks.some(({ name, ok }) => name === "filters system calls" && !ok)
}

/** A command that starts where nothing is fails inside with words about the sandbox instead of about the folder. */
function assertVisible(directory: string, view: readonly Mount[]): void {
  if (isVisible(directory, view)) return
  throw new ToolError("denied", `Cannot run a command in "${directory}": it is outside the workspace`, {
    hint: "Start it in a folder of the workspace",
    fix: "Open that folder as a further root with --root DIR",
  })
}

function ownerOf(identity: Identity): PreparedOutside["owner"] {
  return identity.kind === "owner" ? { uid: identity.uid, gid: identity.gid } : undefined
}

/** Makes a folder of the session on the way to a mount; anything else at its path, a link above all, is renamed. */
function makeWay(path: string, identity: Identity): void {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (facts?.isDirectory()) return
  if (facts) renameSync(path, `${path}.${randomBytes(6).toString("hex")}`)
  mkdirSync(path, { mode: 0o700 })
  if (identity.kind === "owner") chownSync(path, identity.uid, identity.gid)
}

function byDepth(paths: readonly string[]): readonly string[] {
  return [...paths].sort((left, right) => left.length - right.length)
}
