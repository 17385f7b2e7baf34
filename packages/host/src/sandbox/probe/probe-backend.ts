import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { withoutStrangers } from "../../run/process/spawn.js"
import { cancelled } from "../../wait.js"
import type { Backend, Detected, Identity, SandboxVariant } from "../backend.js"
import { createLaunch, type OwnedLaunch } from "../launch/launch.js"
import type { Limiter } from "../limit/limiter.js"
import type { SandboxFiles } from "../plan/sandbox-files.js"
import { buildView, withVariant } from "../view/build-view.js"
import { systemMounts } from "../view/system-mounts.js"
import { neededChecks, type ProbeResult, probeScript, readProbe } from "./probe-script.js"

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
  const folder = mkdtempSync(join(files.folder, "probe-"))
  const server = createServer((socket) => socket.destroy())
  try {
    const outside = join(folder, "outside")
    const root = join(folder, "root")
    const temporaryFolder = join(folder, "tmp")
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
      // As for commands: the state of Haft may be in a folder that every view shows, such as /opt.
      hidden: [outside],
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
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a launch to its end, at most five seconds, and not longer than somebody waits for it. */
export function runLaunch(
  launch: OwnedLaunch,
  signal?: AbortSignal,
): Promise<{ readonly stdout: string; readonly reason?: string }> {
  return new Promise((resolve) => {
    let stdout = ""
    let stderr = ""
    const done = (reason: string | undefined) => {
      clearTimeout(clock)
      signal?.removeEventListener("abort", kill)
      launch.dispose()
      resolve({ stdout, ...(reason !== undefined && { reason }) })
    }
    const child = spawn(launch.file, [...launch.args], {
      cwd: launch.cwd,
      env: launch.env,
      detached: true,
      stdio: withoutStrangers(["ignore", "pipe", "pipe", ...launch.extraFds]),
    })
    const kill = () => child.kill("SIGKILL")
    const clock = setTimeout(kill, 5000)
    signal?.addEventListener("abort", kill)
    child.once("error", (error) => done(error.message))
    if (child.pid === undefined) return
    launch.onSpawn?.(child)
    child.stdout!.on("data", (chunk) => (stdout += chunk))
    child.stderr!.on("data", (chunk) => (stderr += chunk))
    child.once("close", async (exitCode) => {
      const failure = (await launch.end?.({ exitCode }, stderr))?.failure
      const complaint = stderr.trim().split("\n").at(-1)
      done(
        failure ? complaint || failure.message : exitCode === 0 ? undefined : complaint || `it ended with ${exitCode}`,
      )
    })
  })
}
