import { execFile } from "node:child_process"
import type { Backend, Detected, DetectRequest, EndOfSandbox, Missing } from "../backend.js"
import { findHelper, findOwnProgram, fingerprint } from "../environment/programs.js"
import { relayFailed } from "../launch/inside-command.js"
import { wrapWithBwrap } from "./wrap.js"

/** bubblewrap: namespaces, a view built up from nothing, a system-call filter. */
export const bwrap: Backend = {
  name: "bwrap",
  level: "namespaces",
  detect: detectBwrap,
  wrap: wrapWithBwrap,
  explain: explainBwrap,
  reach: "relay",
  notes: () => [],
}

/** Looks for bubblewrap, and for setpriv, which user 0 needs to become somebody else. */
async function detectBwrap({ searchPath, roots }: DetectRequest): Promise<Detected | Missing> {
  if (process.platform !== "linux") return { found: false, reason: "it exists for Linux only" }
  const bwrap = findOwnProgram("bwrap", searchPath, roots)
  if (bwrap === undefined) return { found: false, reason: "bwrap is not on PATH", fix: installBwrap }
  const setpriv = findHelper("setpriv", searchPath, roots)
  const version = await versionOf(bwrap)
  return {
    found: true,
    label: version === undefined ? "bwrap" : `bwrap ${version}`,
    fingerprint: fingerprint([bwrap, ...(setpriv === undefined ? [] : [setpriv])]),
    programs: { bwrap, ...(setpriv !== undefined && { setpriv }) },
  }
}

/** How bubblewrap gets onto a machine. */
const installBwrap =
  "Install bubblewrap, for instance with: apt-get install bubblewrap (dnf, pacman, apk and zypper have it under the same name)"

const versions = new Map<string, Promise<string | undefined>>()

/** Asked once for each binary: a start costs as much as the rest of the preparation. */
function versionOf(bwrap: string): Promise<string | undefined> {
  const key = fingerprint([bwrap])
  const known = versions.get(key)
  if (known) return known
  const asked = runBriefly(bwrap, ["--version"]).then((text) => text?.trim().split(" ").at(-1))
  versions.set(key, asked)
  return asked
}

/** bubblewrap reports the exit code of the command only after it got as far as starting it. */
export function explainBwrap({ stderrTail, exitCode, status, relayRuns }: EndOfSandbox): string | undefined {
  if (!relayRuns && exitCode === 125 && stderrTail.includes(relayFailed)) return relayFailed
  if (exitCode === null || status.includes('"exit-code"')) return undefined
  const line = stderrTail.split("\n").findLast((text) => text.startsWith("bwrap: "))
  if (line === undefined) return undefined
  const reason = line.slice("bwrap: ".length).trim()
  return reason.startsWith("execvp ") ? undefined : reason
}

/** Output of a short run of one of our own programs; undefined when it fails or takes longer than two seconds. */
function runBriefly(file: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: 2000, env: { PATH: "/usr/bin:/bin", LANG: "C" }, windowsHide: true }
    execFile(file, [...args], options, (error, stdout) => resolve(error ? undefined : stdout))
  })
}
