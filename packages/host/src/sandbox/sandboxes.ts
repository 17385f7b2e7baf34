import { rmSync } from "node:fs"
import { join } from "node:path"
import { bestEffort, isInside, type SandboxPolicy, type SandboxSpec } from "@haft/contract"
import { realPath } from "../files/system/look.js"
import type { StagedOutside } from "../outside/stage-outside.js"
import { unlessAborted } from "../wait.js"
import { buildEnvironment, searchPath, taken } from "./environment/environment.js"
import { shownName } from "./environment/programs.js"
import type { Limiter } from "./limit/limiter.js"
import type { MaskRules, Masks } from "./masks/find-masks.js"
import { standingMasks } from "./masks/standing-masks.js"
import { withStandingMasks } from "./masks/with-standing-masks.js"
import { assertHidden, WorkspaceMasks } from "./masks/workspace-masks.js"
import type { SandboxOptions } from "./options.js"
import { type ChosenBackend, noBackend } from "./plan/choose-backend.js"
import { OutsideRoots } from "./plan/outside-roots.js"
import { noneOfRequest, prepareSandbox, viewOf } from "./plan/prepare-sandbox.js"
import { ProtectedPaths } from "./plan/protect-paths.js"
import { SessionRoots } from "./plan/session-roots.js"
import { type SandboxHost, setUpHost } from "./plan/set-up.js"
import { PrewarmPool } from "./prewarm/pool.js"
import type { PreparedSandbox, Sandboxes, SandboxRequest } from "./sandbox.js"
import { isVisible, type ViewRoot } from "./view/build-view.js"

/** Makes the sandboxes of a session. The machine is looked at when the first command comes, not before. */
export async function createSandboxes(options: SandboxOptions): Promise<Sandboxes> {
  const sandboxes = new SessionSandboxes(options)
  await sandboxes.sweep()
  return sandboxes
}

/** What a command's sandbox is built with, found out in this order. */
interface Phases {
  readonly host: SandboxHost
  readonly chosen: ChosenBackend
  readonly masks: Masks
  readonly notes: readonly string[]
  readonly shown: readonly ViewRoot[]
  readonly outside: StagedOutside | undefined
}

class SessionSandboxes implements Sandboxes {
  private readonly options: SandboxOptions
  private readonly roots: SessionRoots
  private readonly protectedPaths: ProtectedPaths
  private readonly masks: WorkspaceMasks
  private readonly outsideRoots: OutsideRoots
  private readonly pool = new PrewarmPool()
  private host: Promise<SandboxHost> | undefined
  /** Also of hosts that were given up: commands that started there may still run. */
  private readonly limiters = new Set<Limiter>()
  private plainPath: readonly string[] | undefined
  private readonly lookUp = () => this.protectedPaths.lookUp()

  constructor(options: SandboxOptions) {
    this.options = options
    this.roots = new SessionRoots(options)
    this.protectedPaths = new ProtectedPaths(options, this.roots)
    this.masks = options.masks ?? new WorkspaceMasks(this.roots.indexes)
    this.outsideRoots = new OutsideRoots(options, this.roots)
  }

  sweep(): Promise<void> {
    return this.protectedPaths.sweep()
  }

  async prepare(asked: SandboxRequest): Promise<PreparedSandbox> {
    asked.signal.throwIfAborted()
    this.roots.assertInPlace()
    const request = { ...asked, directory: realPath(asked.directory) }
    const reason = unconfinedReason(this.options.policy, request.sandbox)
    if (reason !== undefined) return this.unconfined(request, reason)
    const found = this.roots
      .watchSoon()
      .then(() => this.masks.forCommand(request, this.roots.isFirstCommand(), this.lookUp))
    const [host, masks] = await unlessAborted(Promise.all([this.hostNow(), found]), request.signal)
    this.limiters.add(host.limiter)
    if (!("backend" in host.chosen)) {
      this.host = undefined
      await host.limiter.close()
      if (this.options.policy === "preferred") return this.unconfined(request, "no sandbox can be set up here")
      throw noBackend(host.chosen)
    }
    assertHidden(masks)
    return this.withinQuota(request, { host, chosen: host.chosen, masks: masksIn(request, masks) })
  }

  async shows(program: string, sandbox: Pick<SandboxSpec, "unconfined">): Promise<boolean> {
    const { options } = this
    if (unconfinedReason(options.policy, sandbox) !== undefined) return true
    const host = await this.hostNow()
    if (!("backend" in host.chosen)) return true
    const { paths, wide } = this.roots
    const roots = paths.map((path) => ({ path, writable: false, wide: wide.includes(path) }))
    // Whatever the rules are: a program that a rule covers is not passed over.
    const view = viewOf({ host, options, roots, ...noneOfRequest })
    return shownName(program, (path) => isVisible(path, view)) !== undefined
  }

  rulesChanged(): Promise<void> {
    return this.pool.drop()
  }

  wrote(path: string): void {
    this.protectedPaths.accept(path)
  }

  async close(): Promise<void> {
    await this.pool.close()
    const host = await (this.host && bestEffort("a host whose set-up failed has closed its limiter", this.host))
    if (host) this.limiters.add(host.limiter)
    for (const limiter of this.limiters) await limiter.close()
    this.roots.close()
    rmSync(join(this.options.sessionFolder, "sandbox"), { recursive: true, force: true })
  }

  /** Set up once; a failure is one of its moment only, and the next command tries again. */
  private hostNow(): Promise<SandboxHost> {
    if (this.host) return this.host
    const host = setUpHost(this.options, this.roots.projects)
    this.host = host
    host.catch(() => {
      if (this.host === host) this.host = undefined
    })
    return host
  }

  private async withinQuota(
    request: SandboxRequest,
    found: Pick<Phases, "host" | "chosen" | "masks">,
  ): Promise<PreparedSandbox> {
    const { host, chosen, masks } = found
    const notes = await host.quota.enter()
    let outside: StagedOutside | undefined
    try {
      // Folders that were emptied held the mount points of a prewarmed sandbox.
      if (notes.length > 0) await this.pool.drop()
      const shown = this.roots.shownTo(request, masks.freezeRoot)
      outside = await this.outsideRoots.stage(request, host, chosen)
      return await this.protectedSandbox(request, { host, chosen, masks, notes, shown, outside })
    } catch (error) {
      await outside?.dispose()
      host.quota.leave()
      throw error
    }
  }

  private async protectedSandbox(request: SandboxRequest, phases: Phases): Promise<PreparedSandbox> {
    const { host, chosen, masks, notes, shown, outside } = phases
    const { reach } = chosen.backend
    const network = reach === "none" ? undefined : await this.outsideRoots.network(request, host)
    const listening = reach === "port" ? await network?.listen() : undefined
    const { mounts: protectedMounts, release } = await this.protectedPaths.protect(request, shown, masks)
    try {
      const sandbox = prepareSandbox({
        ...{ request, options: this.options, host, chosen, roots: shown, masks, protectedMounts, outside },
        // What is not shown cannot be compared with what is held.
        ...{ held: request.sandbox.profile === "server" ? [] : this.roots.held, network, listening, pool: this.pool },
        notes: [...notes, ...this.roots.notes()],
        releaseProtected: release,
        // The machine does not allow now what it allowed before: found out again before the next command.
        onFailure: () => {
          chosen.cache.drop()
          this.host = undefined
        },
      })
      if (!request.lasting) return sandbox
      const writable = shown.some((root) => root.writable)
      const masksNow = async (rules: MaskRules) => masksIn(request, await this.masks.find(rules, this.lookUp))
      const standing = standingMasks({ masks, rules: request, writable, masksNow })
      const onLost = () => this.options.onMaskLost?.()
      return withStandingMasks(sandbox, standing, { roots: this.roots.paths, onLost })
    } catch (error) {
      await release()
      throw error
    }
  }

  private unconfined(request: SandboxRequest, reason: string): PreparedSandbox {
    const { options } = this
    this.plainPath ??= searchPath(options.path, this.roots.projects)
    return prepareUnconfined({ request, options, searchPath: this.plainPath, reason })
  }
}

/** A server that sees nothing of the workspace needs no mask there: covering what it does not see would show it the names. */
function masksIn({ sandbox, readable = [] }: SandboxRequest, masks: Masks): Masks {
  if (sandbox.profile !== "server") return masks
  return { ...masks, mounts: masks.mounts.filter(({ target }) => readable.some((path) => isInside(target, path))) }
}

/** What an unconfined command is prepared from. */
interface UnconfinedRequest {
  readonly request: SandboxRequest
  readonly options: SandboxOptions
  readonly searchPath: readonly string[]
  readonly reason: string
}

/** Why a command runs without a sandbox, or undefined when it must have one. */
function unconfinedReason(policy: SandboxPolicy, sandbox: Pick<SandboxSpec, "unconfined">): string | undefined {
  if (sandbox.unconfined) return "this command is listed as one that runs outside the sandbox"
  return policy === "off" ? "the sandbox is switched off" : undefined
}

/** Runs a command as it is, with a built environment all the same: secrets of the caller stay out of it. */
function prepareUnconfined({ request, options, searchPath, reason }: UnconfinedRequest): PreparedSandbox {
  const from = options.variables ?? process.env
  const environment = () =>
    buildEnvironment({
      from,
      searchPath,
      home: options.home,
      user: from.USER ?? "",
      shell: from.SHELL ?? "/bin/sh",
      temporary: from.TMPDIR ?? "/tmp",
      profile: "none",
      names: options.env ?? [],
      secretNames: options.envSecrets ?? [],
      isVisible: () => true,
      // Places of services, which such commands are listed for; none of them is a secret itself.
      further: { ...taken(serviceNames, from, () => true), ...request.environment },
    })
  return {
    isolation: {
      level: "none",
      backend: "none",
      profile: "none",
      network: "host",
      limits: { enforcedBy: "none" },
      notes: [reason],
    },
    launch: ([file = "", ...args]) => ({
      file,
      args,
      env: environment(),
      cwd: request.directory,
      extraFds: [],
    }),
    release: async () => ({ quarantined: [] }),
  }
}

const serviceNames = ["SSH_AUTH_SOCK", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DOCKER_HOST", "DISPLAY"]
