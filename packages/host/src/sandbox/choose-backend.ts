import { ToolError } from "@haft/contract"
import { type Backend, type BackendName, backendNames, type Detected, type DetectRequest } from "./backend.js"
import { backends } from "./backends.js"
import type { Identity } from "./identity.js"
import type { Limiter } from "./limits/limiter.js"
import { type Probe, probeBackend } from "./probe/probe-backend.js"
import { type ProbeCache, probeCache } from "./probe/probe-cache.js"
import type { SandboxFiles } from "./sandbox-files.js"

/** A backend that was run on this machine and held. */
export interface ChosenBackend {
  readonly backend: Backend
  readonly detected: Detected
  readonly probe: Probe
  readonly identity: Identity
  readonly cache: ProbeCache
}

/** A backend that cannot be used here. */
export interface FailedBackend {
  readonly backend: BackendName
  readonly reason: string
  readonly fix?: string
}

/** What the choice depends on. */
export interface ChoiceRequest extends DetectRequest {
  readonly names?: readonly BackendName[]
  readonly files: SandboxFiles
  readonly limiter: Limiter
  readonly identityFor: (detected: Detected) => Identity
  readonly signal?: AbortSignal
}

/** The first backend that passes its probe, or why none does. */
export async function chooseBackend(request: ChoiceRequest): Promise<ChosenBackend | readonly FailedBackend[]> {
  const failed: FailedBackend[] = []
  for (const name of request.names ?? backendNames) {
    const backend = backends[name]
    const detected = await backend.detect(request)
    if (!detected.found) {
      failed.push({ backend: name, reason: detected.reason, ...(detected.fix && { fix: detected.fix }) })
      continue
    }
    const identity = request.identityFor(detected)
    const key = [name, detected.fingerprint, identity.kind, request.files.filter].join(" ")
    const cache = probeCache(request.files.folder, key)
    const probe = cache.read() ?? (await probeBackend({ ...request, backend, detected, identity }))
    if (probe.ok) {
      cache.write(probe)
      return { backend, detected, probe, identity, cache }
    }
    failed.push({ backend: name, reason: failureOf(probe), fix: fixFor(probe) })
  }
  return failed
}

/** The refusal when no sandbox can stand. */
export function noBackend(failed: readonly FailedBackend[]): ToolError {
  const relevant = failed.filter(({ backend }) => isForThisMachine(backend))
  const reasons =
    relevant.map(({ backend, reason }) => `${backend}: ${reason}`).join("; ") || `there is none for ${process.platform}`
  const fixes = [...new Set(relevant.flatMap(({ fix }) => fix ?? []))]
  return new ToolError("not_configured", `Cannot run commands: no sandbox can be set up here (${reasons})`, {
    fix: [...fixes, "haft doctor shows every probe"].join("; "),
    details: { reason: "SANDBOX_UNAVAILABLE", probes: failed },
  })
}

function isForThisMachine(backend: BackendName): boolean {
  if (process.platform === "linux") return backend === "bwrap" || backend === "unshare"
  return process.platform === "darwin" && backend === "seatbelt"
}

/** Why a probe failed, in words. */
export function failureOf(probe: Probe): string {
  if (probe.reason !== undefined) return `the probe failed: ${probe.reason}`
  const missed = probe.checks.filter(({ ok }) => !ok).map(({ name }) => name)
  return `the probe showed that not all of this holds: ${missed.join(", ")}`
}

/** What usually helps. */
export function fixFor(probe: Probe): string {
  if (/namespace|uid map|permission|not permitted|userns/i.test(probe.reason ?? "")) {
    return "Allow user namespaces (in a container: its security options; on Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0 or a profile for bwrap), or declare the container to be the sandbox with --sandbox off"
  }
  return "Run haft doctor and see which probe fails"
}
