import { readFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryIn } from "../../files/session-folder.js"
import type { SandboxPlan, Wrapped } from "../backend.js"
import { buildEnvironment, shownFolders } from "../environment/environment.js"
import type { SandboxParts } from "../plan/prepare-sandbox.js"
import { isVisible } from "../view/build-view.js"
import { parseMounts } from "../view/host-mounts.js"
import type { Mount } from "../view/mount.js"
import { type MountedTree, mountedTrees } from "./inside-command.js"
import { createLaunch, type OwnedLaunch } from "./launch.js"

/** How a program is started in a sandbox. */
export interface PlannedLaunch {
  readonly wrapped: Wrapped
  readonly environment: Record<string, string>
  /** Opens what the start needs. */
  launch(): OwnedLaunch
}

/** Plans the start of a program; one that waits reads at a descriptor what it becomes. */
export type LaunchPlanner = (argv: readonly string[], options?: { readonly waits?: boolean }) => PlannedLaunch

/** Plans how any program is started in the sandbox with this view; nothing is opened yet. */
export function planLaunch(parts: SandboxParts, view: readonly Mount[]): LaunchPlanner {
  const { request, options, host, chosen, network } = parts
  const relay = chosen.backend.reach === "relay" ? network?.relay : undefined
  const filterFile = host.files.filter
  const trees = parts.protectedMounts.shared && chosen.probe.variant.processes ? treesOf(parts, view) : []
  const held = parts.held.filter(({ descriptor }) => descriptor !== undefined).slice(0, maxHeld)
  return (argv, { waits = false } = {}) => {
    const environment = environmentOf(parts, view)
    const plan: SandboxPlan = {
      ...{ argv, mounts: view, environment, waits },
      directory: request.directory,
      profile: request.sandbox.profile,
      identity: chosen.identity,
      blankFile: host.files.blank,
      ...(filterFile !== undefined && { filterFile }),
      ...(relay && { relay }),
      ...(parts.listening && { proxyPort: parts.listening.port }),
      limits: host.limiter.limits,
      limitProcesses: host.limiter.joins.length === 0,
      variant: chosen.probe.variant,
      ...(trees.length > 0 && { trees }),
      held: held.map(({ path }) => path),
    }
    const wrapped = chosen.backend.wrap(plan, chosen.detected)
    const launch = () =>
      createLaunch({
        ...{ backend: chosen.backend, wrapped, limiter: host.limiter, environment, program: argv[0] ?? "" },
        held: held.map(({ descriptor }) => descriptor!),
        ...(filterFile !== undefined && { filterFile }),
        folder: join(options.sessionFolder, "sandbox"),
        ...(relay && network && { attach: network.attach }),
        watch: (started) =>
          host.quota.watch({
            ...started,
            lasting: request.lasting === true,
            writesElsewhere: parts.roots.some(({ writable }) => writable),
          }),
        onFailure: parts.onFailure,
      })
    return { wrapped, environment, launch }
  }
}

function environmentOf(parts: SandboxParts, view: readonly Mount[]): Record<string, string> {
  const { request, options, host, chosen, network } = parts
  const relayed = chosen.backend.reach === "relay" ? network?.variables : undefined
  return buildEnvironment({
    from: options.variables ?? process.env,
    searchPath: shownFolders(host.searchPath, (folder) => isVisible(folder, view)),
    home: host.home.path,
    user: host.user,
    shell: host.shell,
    // Only a view of its own has it in the place of the machine's.
    temporary: chosen.backend.level === "namespaces" ? "/tmp" : temporaryIn(options.sessionFolder),
    cacheFolder: options.cacheFolder,
    profile: request.sandbox.profile,
    names: options.env ?? [],
    secretNames: options.envSecrets ?? [],
    isVisible: (path) => isVisible(path, view),
    further: { ...relayed, ...parts.listening?.variables, ...request.environment },
  })
}

/** A plain shell knows ten descriptors. */
const maxHeld = 4

function treesOf({ roots }: SandboxParts, view: readonly Mount[]): readonly MountedTree[] {
  const writable = roots.filter((root) => root.writable).map(({ path }) => path)
  const hostMounts = parseMounts(readFileSync("/proc/self/mountinfo", "utf8"))
  return mountedTrees(
    view,
    writable,
    hostMounts.map(({ path }) => path),
  )
}
