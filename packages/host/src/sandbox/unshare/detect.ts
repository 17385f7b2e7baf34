import type { Detected, DetectRequest, Missing } from "../backend.js"
import { findHelper, findOwnProgram } from "../environment/find-own-program.js"
import { fingerprint } from "../fingerprint.js"

const needed = ["unshare", "setpriv", "setsid", "mount", "umount", "pivot_root"] as const

/** Looks for the programs of util-linux; `ip`, which only brings up the loopback interface, may be missing. */
export async function detectUnshare({ searchPath, roots }: DetectRequest): Promise<Detected | Missing> {
  if (process.platform !== "linux") return { found: false, reason: "it exists for Linux only" }
  const programs: Record<string, string> = {}
  for (const name of [...needed, "ip"]) {
    const path = (name === "unshare" ? findOwnProgram : findHelper)(name, searchPath, roots)
    if (path !== undefined) programs[name] = path
  }
  const missing = needed.filter((name) => programs[name] === undefined)
  if (missing.length > 0) {
    return { found: false, reason: `${missing.join(", ")} not found on PATH`, fix: "Install util-linux" }
  }
  return { found: true, label: "unshare", fingerprint: fingerprint(Object.values(programs)), programs }
}
