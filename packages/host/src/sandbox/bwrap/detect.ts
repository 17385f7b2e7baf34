import type { Detected, DetectRequest, Missing } from "../backend.js"
import { findHelper, findOwnProgram } from "../environment/find-own-program.js"
import { fingerprint } from "../fingerprint.js"
import { runBriefly } from "../run-briefly.js"

/** Looks for bubblewrap, and for setpriv, which user 0 needs to become somebody else. */
export async function detectBwrap({ searchPath, roots }: DetectRequest): Promise<Detected | Missing> {
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
