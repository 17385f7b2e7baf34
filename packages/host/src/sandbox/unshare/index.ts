import type { Backend, Detected, DetectRequest, EndOfSandbox, Missing } from "../backend.js"
import { findHelper, findOwnProgram, fingerprint } from "../environment/programs.js"
import { relayFailed } from "../launch/inside-command.js"
import { wrapWithUnshare } from "./wrap.js"

/** Programs of util-linux: the same namespaces and view, without a system-call filter. */
export const unshare: Backend = {
  name: "unshare",
  level: "namespaces",
  detect: detectUnshare,
  wrap: (plan, detected) => wrapWithUnshare(plan, detected),
  explain: explainUnshare,
  reach: "relay",
  notes: ({ programs }) =>
    programs.ip === undefined ? ["the loopback interface is down: the program ip is not installed"] : [],
}

const needed = ["unshare", "setpriv", "setsid", "mount", "umount", "pivot_root"] as const

/** Looks for the programs of util-linux; `ip`, which only brings up the loopback interface, may be missing. */
async function detectUnshare({ searchPath, roots }: DetectRequest): Promise<Detected | Missing> {
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

/** The last step before the command writes that it was reached; without that the sandbox was not set up. */
export function explainUnshare({ stderrTail, exitCode, status }: EndOfSandbox): string | undefined {
  if (exitCode === null || status.includes("started")) return undefined
  if (exitCode === 125 && stderrTail.includes(relayFailed)) return relayFailed
  const lines = stderrTail.trim().split("\n")
  const own = lines.findLast((line) => line.startsWith("haft-sandbox: "))?.slice("haft-sandbox: ".length)
  const cause = lines.findLast((line) => /^(unshare|setpriv|setsid|mount|umount|pivot_root|sh|\/bin\/sh):/.test(line))
  return [own, cause].filter(Boolean).join("; ") || `it ended with ${exitCode} before the command was started`
}
