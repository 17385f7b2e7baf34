import { createHash } from "node:crypto"
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bestEffort, ToolError } from "@haft/contract"
import {
  type Backend,
  type BackendName,
  backendNames,
  type Detected,
  type DetectRequest,
  type Identity,
} from "../backend.js"
import { bwrap } from "../bwrap/index.js"
import type { Limiter } from "../limit/limiter.js"
import { type Probe, probeBackend } from "../probe/probe-backend.js"
import { seatbelt } from "../seatbelt/index.js"
import { unshare } from "../unshare/index.js"
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

/** The refusal when no sandbox can be set up. */
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

/** Every backend by its name. */
export const backends: Readonly<Record<BackendName, Backend>> = { bwrap, unshare, seatbelt }

/** Remembers probes that succeeded, so that a session does not start with one; failures are tried anew each time. */
export interface ProbeCache {
  read(): Probe | undefined
  write(probe: Probe): void
  /** Forgets the probe: a sandbox failed although it had succeeded. */
  drop(): void
}

/** The memory for one backend in one state; another program, kernel, user or system-call filter is another key. */
function probeCache(folder: string, key: string): ProbeCache {
  const file = join(folder, `probe-${createHash("sha256").update(key).digest("hex").slice(0, 24)}.json`)
  return {
    read() {
      const probe: unknown = bestEffort("it is probed again", () => JSON.parse(readFileSync(file, "utf8")))
      return isProbe(probe) ? probe : undefined
    },
    write(probe) {
      const temporary = `${file}.${process.pid}`
      writeFileSync(temporary, JSON.stringify(probe), { mode: 0o600 })
      renameSync(temporary, file)
    },
    drop: () => rmSync(file, { force: true }),
  }
}

function isProbe(value: unknown): value is Probe {
  const { ok, checks, variant } = (value ?? {}) as Partial<Probe>
  return ok === true && Array.isArray(checks) && typeof variant?.processes === "boolean"
}
