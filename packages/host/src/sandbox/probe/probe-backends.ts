import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type BackendName, backendNames, chooseIdentity } from "../backend.js"
import { searchPath } from "../environment/environment.js"
import { createLimiter, withDefaults } from "../limit/limiter.js"
import { backends, failureOf, fixFor } from "../plan/choose-backend.js"
import { writeSandboxFiles } from "../plan/sandbox-files.js"
import { probeBackend } from "./probe-backend.js"

/** What one backend can do on this machine. */
export interface BackendReport {
  readonly backend: BackendName
  readonly ok: boolean
  readonly version?: string
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail?: string }[]
  readonly fix?: string
}

/** Where to look for backends. */
export interface ProbeOptions {
  /** PATH of the caller. */
  readonly path: string
  readonly roots?: readonly string[]
  readonly backends?: readonly BackendName[]
  readonly signal?: AbortSignal
}

/** Builds a real sandbox with each backend and reports what holds; nothing is remembered and nothing is left. */
export async function probeBackends({
  path,
  roots = [],
  backends: names,
  signal,
}: ProbeOptions): Promise<readonly BackendReport[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-probe-")))
  const limiter = createLimiter(withDefaults())
  try {
    const files = writeSandboxFiles(folder)
    const where = { searchPath: searchPath(path, roots), roots }
    const reports: BackendReport[] = []
    for (const name of names ?? backendNames) reports.push(await report(name))
    return reports

    async function report(name: BackendName): Promise<BackendReport> {
      const backend = backends[name]
      const detected = await backend.detect(where)
      if (!detected.found) {
        const missing = { name: "is installed", ok: false, detail: detected.reason }
        return { backend: name, ok: false, checks: [missing], ...(detected.fix && { fix: detected.fix }) }
      }
      const identity = chooseIdentity(roots[0] ?? "/", detected.programs.setpriv !== undefined)
      const probe = await probeBackend({ backend, detected, files, identity, limiter, ...(signal && { signal }) })
      return {
        backend: name,
        ok: probe.ok,
        version: detected.label,
        checks: probe.ok ? probe.checks : [{ name: "stands", ok: false, detail: failureOf(probe) }, ...probe.checks],
        ...(!probe.ok && { fix: fixFor(probe) }),
      }
    }
  } finally {
    await limiter.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
