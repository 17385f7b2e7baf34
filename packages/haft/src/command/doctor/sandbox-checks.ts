import { type BackendReport, probeBackends } from "@haft/host"
import { loadConfiguration } from "../../config/load-configuration.js"
import { type Check, type DoctorRequest, failed, searchPathOf, signalOf } from "./check.js"

/**
 * Every way to confine commands with the outcome of really building a sandbox, and whether commands can run at all under this
 * policy, by default the one of the configuration.
 */
export async function sandboxChecks(request: DoctorRequest, policy?: string): Promise<readonly Check[]> {
  try {
    const reports = await probeBackends({ path: searchPathOf(request), roots: request.roots, ...signalOf(request) })
    return [summary(reports, policy ?? (await policyOf(request))), ...reports.map(backendCheck)]
  } catch (error) {
    return [failed("sandbox", error)]
  }
}

/** What commands will run behind: the first that works. */
function summary(reports: readonly BackendReport[], policy: string): Check {
  const name = "sandbox"
  if (policy === "off") return { name, state: "warn", found: "switched off: commands run unconfined" }
  const best = reports.find(({ ok }) => ok)
  if (best) return { name, state: "ok", found: `${policy}; commands run behind ${best.version ?? best.backend}` }
  const fix = reports.find((report) => report.fix !== undefined)?.fix
  return {
    name,
    state: policy === "required" ? "fail" : "warn",
    found: policy === "required" ? "none works: commands are refused" : "none works: commands run unconfined",
    ...(fix !== undefined && { fix }),
  }
}

function backendCheck({ backend, ok, version, checks, fix }: BackendReport): Check {
  const name = `sandbox ${backend}`
  const unmet = checks.filter((check) => !check.ok)
  const words = unmet.map((check) => (check.detail ? `${check.name}: ${check.detail}` : check.name)).join(", ")
  if (ok) {
    const passed = `${version ?? backend}: ${checks.length - unmet.length} of ${checks.length} probes hold`
    return { name, state: "ok", found: unmet.length > 0 ? `${passed}, not: ${words}` : passed, probes: checks }
  }
  // What nothing can be done about belongs to another system.
  return fix === undefined
    ? { name, state: "none", found: checks[0]?.detail ?? words }
    : { name, state: "warn", found: unmet.map((check) => check.detail ?? check.name).join(", "), fix, probes: checks }
}

async function policyOf({ env, places, roots }: DoctorRequest): Promise<string> {
  try {
    const { values } = await loadConfiguration({ env, places, roots, flags: {}, defaultLimit: () => undefined })
    return values.get("sandbox")
  } catch {
    // Said by the check of the files; what holds then is the default.
    return "required"
  }
}
