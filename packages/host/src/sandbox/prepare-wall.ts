import { lstatSync } from "node:fs"
import { join } from "node:path"
import { type Isolation, ToolError } from "@haft/contract"
import type { ListeningNetwork, WallNetwork } from "../proxy/wall-network.js"
import { assertProgramShown } from "./assert-program-shown.js"
import type { WallPlan } from "./backend.js"
import type { ChosenBackend } from "./choose-backend.js"
import { createLaunch, type OwnedLaunch } from "./create-launch.js"
import { buildEnvironment, keptOut } from "./environment/build-environment.js"
import type { Ground } from "./lay-ground.js"
import type { Masks } from "./masks/masks-of.js"
import type { SandboxOptions } from "./options.js"
import { checkFreeNames } from "./protected/check-free-names.js"
import type { Holds } from "./protected/plan-holds.js"
import type { PreparedWall, WallRequest } from "./sandbox.js"
import { buildView, type ViewRoot } from "./view/build-view.js"
import { isWithin, type Mount } from "./view/mount.js"
import { withVariant } from "./with-variant.js"

/** What the wall of one command is made from, all of it found out already. */
export interface WallParts {
  readonly request: WallRequest
  readonly options: SandboxOptions
  readonly ground: Ground
  readonly chosen: ChosenBackend
  readonly roots: readonly ViewRoot[]
  readonly masks: Masks
  readonly holds: Holds
  readonly network: WallNetwork | undefined
  /** Where the network listens, for a backend that reaches it at a port. */
  readonly listening: ListeningNetwork | undefined
  /** What to say about this command besides. */
  readonly notes: readonly string[]
  /** Gives the held names back. */
  readonly releaseHolds: () => Promise<void>
  readonly onFailure: () => void
}

/** Puts the wall together; nothing runs yet. */
export function prepareWall(parts: WallParts): PreparedWall {
  const { request, options, ground, chosen, network, holds } = parts
  const { profile } = request.wall
  const view = withVariant(viewOf(parts), chosen.probe.variant)
  assertVisible(request.directory, view)
  const launches: OwnedLaunch[] = []
  let isReleased = false

  const launch: PreparedWall["launch"] = (argv) => {
    assertProgramShown(argv[0] ?? "", {
      searchPath: ground.searchPath,
      isVisible: (path) => isVisible(path, view),
      isMasked: (path) => view.some((mount) => mount.kind === "hide" && isWithin(path, mount.target)),
    })
    const relay = chosen.backend.reach === "relay" ? network?.relay : undefined
    const environment = buildEnvironment({
      from: options.variables ?? process.env,
      searchPath: ground.searchPath.filter((folder) => isVisible(folder, view)),
      home: ground.home.path,
      user: ground.user,
      shell: ground.shell,
      temporary: "/tmp",
      cacheFolder: options.cacheFolder,
      profile,
      names: options.env ?? [],
      secretNames: options.envSecrets ?? [],
      isVisible: (path) => isVisible(path, view),
      further: { ...(relay && network?.variables), ...parts.listening?.variables, ...request.environment },
    })
    const filterFile = ground.files.filter
    const plan: WallPlan = {
      argv,
      mounts: view,
      directory: request.directory,
      profile,
      identity: chosen.identity,
      blankFile: ground.files.blank,
      ...(filterFile !== undefined && { filterFile }),
      ...(relay && { relay }),
      ...(parts.listening && { proxyPort: parts.listening.port }),
      limits: ground.limiter.limits,
      limitProcesses: ground.limiter.joins.length === 0,
      environment,
      variant: chosen.probe.variant,
    }
    const wrapped = chosen.backend.wrap(plan, chosen.detected)
    const made = createLaunch({
      backend: chosen.backend,
      wrapped,
      limiter: ground.limiter,
      environment,
      ...(filterFile !== undefined && { filterFile }),
      folder: join(options.sessionFolder, "wall"),
      ...(relay && network && { attach: network.attach }),
      onFailure: parts.onFailure,
    })
    launches.push(made)
    return made
  }

  return {
    isolation: isolationOf(parts),
    launch,
    async release() {
      for (const made of launches) made.dispose()
      network?.close()
      await parts.releaseHolds()
      if (!isReleased) ground.homeRoom.leave()
      isReleased = true
      return { quarantined: checkFreeNames(holds.free, join(options.sessionFolder, "quarantine")) }
    },
  }
}

function viewOf({ options, ground, roots, masks, holds, network }: WallParts): readonly Mount[] {
  const self = (kind: "read" | "write", path: string): Mount => ({ kind, source: path, target: path })
  return buildView({
    system: ground.system,
    home: ground.home.mounts,
    readable: (options.readable ?? []).filter((path) => lstatSync(path, { throwIfNoEntry: false })),
    roots,
    hidden: ground.hidden,
    state: [
      ...ground.state,
      ...(network ? programFor(network.relay.node, ground.system) : []),
      ...(network?.files ?? []).map((path) => self("read", path)),
    ],
    protection: [
      ...byDepth(holds.ancestors).map((path) => self("write", path)),
      ...holds.frozen.map((path) => self("read", path)),
      ...holds.absent.map((target) => ({ kind: "hold", target }) as const),
    ],
    masks: [...ground.masks, ...masks.mounts],
  })
}

/** The relay's own program, where the view does not show it anyway. */
function programFor(path: string, system: readonly Mount[]): readonly Mount[] {
  return isVisible(path, system) ? [] : [{ kind: "read", source: path, target: path }]
}

function isolationOf({ request, options, ground, chosen, masks, network, roots, notes }: WallParts): Isolation {
  const { backend, detected, probe } = chosen
  const unfiltered = probe.checks.some(({ name, ok }) => name === "filters system calls" && !ok)
  return {
    level: backend.level,
    backend: detected.label,
    profile: request.wall.profile,
    network: network ? "proxy" : "none",
    limits: { enforcedBy: ground.limiter.enforcedBy },
    notes: [
      ...(unfiltered ? ["no system-call filter"] : []),
      ...(probe.variant.processes ? [] : ["/proc is empty: this machine does not let a sandbox have its own"]),
      ...backend.notes(detected),
      ...(roots.some(({ wide }) => wide) ? ["a wide root is shown read-only"] : []),
      ...masks.notes,
      ...ground.notes,
      ...notes,
      ...keptOut({
        from: options.variables ?? process.env,
        names: options.env ?? [],
        secretNames: options.envSecrets ?? [],
      }),
    ],
  }
}

/** A command that starts where nothing is fails inside with words about the wall instead of about the folder. */
function assertVisible(directory: string, view: readonly Mount[]): void {
  if (isVisible(directory, view)) return
  throw new ToolError("denied", `Cannot run a command in "${directory}": it lies outside the workspace`, {
    hint: "Start it in a folder of the workspace, or open that folder as a further root",
  })
}

/** Whether the path of the host is at the same path inside. */
function isVisible(path: string, view: readonly Mount[]): boolean {
  const last = view.findLast((mount) => "target" in mount && mount.kind !== "freeze" && isWithin(path, mount.target))
  if (last?.kind === "link") return true
  return (last?.kind === "read" || last?.kind === "write") && last.source === last.target
}

function byDepth(paths: readonly string[]): readonly string[] {
  return [...paths].sort((left, right) => left.length - right.length)
}
