import { join } from "node:path"
import { realPath } from "../../files/system/look.js"
import { refused } from "../../outside/plan-names.js"
import { type StagedOutside, stageOutside } from "../../outside/stage-outside.js"
import { createSandboxTrust } from "../../proxy/registry/sandbox-trust.js"
import { createBundles, createSandboxNetwork, type SandboxNetwork } from "../../proxy/sandbox-network.js"
import type { SandboxOptions } from "../options.js"
import type { SandboxRequest } from "../sandbox.js"
import { isVisible } from "../view/build-view.js"
import type { ChosenBackend } from "./choose-backend.js"
import { noneOfRequest, viewOf } from "./prepare-sandbox.js"
import type { SessionRoots } from "./session-roots.js"
import type { SandboxHost } from "./set-up.js"

/** Opens to a command what the verdict lets it reach besides the roots: copies of files, and hosts of the network. */
export class OutsideRoots {
  private bundles: ReturnType<typeof createBundles> | undefined

  constructor(
    private readonly options: SandboxOptions,
    private readonly roots: SessionRoots,
  ) {}

  /** Copies what the command may change outside the roots; refuses what cannot be done that way. */
  async stage(
    { sandbox, denies, mayRead = () => false, lasting, signal }: SandboxRequest,
    host: SandboxHost,
    chosen: ChosenBackend,
  ): Promise<StagedOutside | undefined> {
    if (!sandbox.outside?.length || !sandbox.profile.startsWith("workspace-write")) return undefined
    const { path } = sandbox.outside[0]!
    if (lasting) throw refused(path, "a process that outlives its call cannot", "Run it with a call that ends")
    if (chosen.backend.level !== "namespaces") throw refused(path, `the sandbox ${chosen.detected.label} cannot`)
    const { options } = this
    const roots = this.roots.paths
    const trees = [...roots, ...this.roots.gitDirs.map((one) => one.path)]
    const state = host.state.map(({ target }) => target)
    const bare = viewOf({ options, host, roots: [], ...noneOfRequest })
    const staged = await stageOutside({
      ...{ writes: sandbox.outside, denies, mayRead, signal },
      bounds: { inside: [...trees, ...state], hidden: host.hidden, roots, home: realPath(options.home) },
      folder: join(options.sessionFolder, "outside"),
      identity: chosen.identity,
      targets: [...trees, ...(options.readable ?? []), ...state, ...host.home.mounts.map(({ target }) => target)],
      home: host.places.find(({ target }) => target === host.home.path),
      isShown: (shown) => isVisible(shown, bare),
    })
    if (!staged) return undefined
    // The copies do not count as written by the command; what it adds does.
    host.quota.allow(staged.bytes)
    const dispose = () => staged.dispose().finally(() => host.quota.allow(-staged.bytes))
    return { ...staged, dispose }
  }

  /** The way to the hosts that were granted; undefined when there are none. */
  async network(
    { sandbox, onDecision }: SandboxRequest,
    { searchPath }: SandboxHost,
  ): Promise<SandboxNetwork | undefined> {
    const { options } = this
    const variables = options.variables ?? process.env
    const granted = options.netGrants ?? []
    const netGrants = sandbox.profile === "workspace-write+net" ? granted : []
    if (sandbox.hosts.length === 0 && netGrants.length === 0) return undefined
    this.bundles ??= createBundles({ home: options.home, searchPath, roots: this.roots.paths, variables })
    const folder = join(options.sessionFolder, "sandbox")
    const trust = (certificates: readonly string[]) => createSandboxTrust({ folder, certificates, variables })
    return createSandboxNetwork({
      hosts: sandbox.hosts,
      netGrants: granted.filter((grant) => netGrants.includes(grant) || sandbox.hosts.includes(grant)),
      bundle: this.bundles,
      ...(options.proxy && { proxy: options.proxy }),
      ...(options.registries && { registries: { known: options.registries, trust } }),
      ...(options.ownPorts && { ownPorts: options.ownPorts }),
      onDecision(decision) {
        onDecision?.(decision)
        options.onDecision?.(decision)
      },
    })
  }
}
