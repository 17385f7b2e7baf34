import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { programsWithout } from "../../host/src/sandbox/testing/programs-without.js"
import { areHere, sandboxIsHere } from "./shell-world.js"

const nobody = 65534
const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn("not tested here: becoming another user needs user 0")

/** Whether commands can be run as another user behind both backends. */
export const canBecomeOthers = sandboxIsHere && areHere("unshare", "setpriv") && isRoot

/** Who runs Haft, in whose workspace, behind which backend. */
export const userWorlds = [
  { backend: "bwrap", user: nobody, owner: nobody },
  { backend: "unshare", user: nobody, owner: nobody },
  { backend: "bwrap", user: 0, owner: 0 },
  { backend: "unshare", user: 0, owner: 0 },
  { backend: "bwrap", user: 0, owner: nobody },
  { backend: "unshare", user: 0, owner: nobody },
] as const

/** A folder that every user may enter, and the programs that are found: without bubblewrap, unshare is the backend. */
export function openUserWorld(backend: "bwrap" | "unshare") {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-users-")))
  const path = backend === "bwrap" ? (process.env.PATH ?? "") : programsWithout("bwrap")
  chmodSync(base, 0o755)
  if (backend === "unshare") chmodSync(path, 0o755)
  return {
    base,
    path,
    remove() {
      rmSync(base, { recursive: true, force: true })
      if (backend === "unshare") rmSync(path, { recursive: true, force: true })
    },
  }
}

/** The words behind `setpriv` that run a program as this user. */
export function asUser(user: number, ...argv: readonly string[]): readonly string[] {
  return [`--reuid=${user}`, `--regid=${user}`, "--clear-groups", ...argv]
}
