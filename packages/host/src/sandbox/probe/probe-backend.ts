import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { join } from "node:path"
import { cancelled } from "../../run/process/cancelled.js"
import type { Backend, Detected, SandboxVariant } from "../backend.js"
import { createLaunch } from "../create-launch.js"
import type { Identity } from "../identity.js"
import type { Limiter } from "../limits/limiter.js"
import type { SandboxFiles } from "../sandbox-files.js"
import { buildView } from "../view/build-view.js"
import { systemMounts } from "../view/system-mounts.js"
import { withVariant } from "../with-variant.js"
import { neededChecks, probeScript } from "./probe-script.js"
import { type ProbeResult, readProbe } from "./read-probe.js"
import { runLaunch } from "./run-launch.js"

/** What was found out about a backend by running it. */
export interface Probe {
  readonly ok: boolean
  readonly checks: readonly ProbeResult[]
  readonly variant: SandboxVariant
  /** What the sandbox itself complained about. */
  readonly reason?: string
}

/** What a probe needs of the session that asks. */
export interface ProbeRequest {
  readonly backend: Backend
  readonly detected: Detected
  readonly files: SandboxFiles
  readonly identity: Identity
  readonly limiter: Limiter
  /** Ends the trial; it then proves nothing. */
  readonly signal?: AbortSignal
}

/** Builds real sandboxes, from the best variant down, until one passes every check that it needs to. */
export async function probeBackend(request: ProbeRequest): Promise<Probe> {
  let best: Probe | undefined
  for (const variant of variants) {
    const probe = await probeVariant(request, variant)
    if (request.signal?.aborted) throw cancelled(request.signal)
    if (probe.ok) return probe
    best ??= probe
  }
  return best!
}

const variants: readonly SandboxVariant[] = [
  { processes: true, lockUserNamespaces: true },
  { processes: true, lockUserNamespaces: false },
  { processes: false, lockUserNamespaces: true },
  { processes: false, lockUserNamespaces: false },
]

async function probeVariant(request: ProbeRequest, variant: SandboxVariant): Promise<Probe> {
  const { backend, detected, files, limiter } = request
  const ground = mkdtempSync(join(files.folder, "probe-"))
  const server = createServer((socket) => socket.destroy())
  try {
    const outside = join(ground, "outside")
    const root = join(ground, "root")
    const temporaryFolder = join(ground, "tmp")
    for (const folder of [outside, root, temporaryFolder]) mkdirSync(folder)
    writeFileSync(join(outside, "secret"), "")
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const port = (server.address() as AddressInfo).port
    const view = buildView({
      system: systemMounts(files, { temporaryBytes: 1024 * 1024, temporaryFolder }),
      home: [],
      outside: [],
      readable: [],
      roots: [{ path: root, writable: true, wide: false }],
      hidden: [],
      state: [],
      places: [],
      protection: [],
      masks: [],
    })
    const environment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C.UTF-8" }
    const plan = {
      argv: ["/bin/sh", "-c", probeScript, "sh", outside, String(port)],
      mounts: withVariant(view, variant),
      directory: root,
      profile: "workspace-write",
      identity: request.identity,
      blankFile: files.blank,
      ...(files.filter !== undefined && { filterFile: files.filter }),
      limits: limiter.limits,
      limitProcesses: false,
      environment,
      variant,
    } as const
    const wrapped = backend.wrap(plan, detected)
    const launch = createLaunch({
      backend,
      wrapped,
      limiter,
      environment,
      program: plan.argv[0],
      ...(files.filter !== undefined && { filterFile: files.filter }),
      folder: files.folder,
      onFailure: () => undefined,
    })
    const { stdout, reason } = await runLaunch(launch, request.signal)
    const checks = readProbe(stdout, outside)
    const ok = neededChecks.every((name) => checks.find((check) => check.name === name)?.ok)
    return { ok, checks, variant, ...(reason !== undefined && { reason }) }
  } finally {
    server.close()
    rmSync(ground, { recursive: true, force: true })
  }
}
