import { lstatSync } from "node:fs"
import { join } from "node:path"
import { isInside } from "@haft/contract"
import type { Mount } from "./mount.js"
import { credentialNames, toolchains } from "./toolchains.js"

/** What the home directory of a sandbox is made from. */
export interface HomeRequest {
  /** The user's home directory, links followed. */
  readonly home: string
  /** The folder of the session that stands in its place. */
  readonly privateHome: string
  readonly gitConfig: string
  readonly searchPath: readonly string[]
  /** Roots that are shown although they hold more than a project. */
  readonly wideRoots: readonly string[]
}

/** The home directory inside a sandbox and how it gets there. */
export interface HomeView {
  readonly path: string
  readonly mounts: readonly Mount[]
  /** Covers for credentials, where the real home directory can be seen. */
  readonly masks: readonly Mount[]
}

/** A private folder at the path of the home directory, with toolchains read-only and none of the user's credentials. */
export function homeMounts({ home, privateHome, gitConfig, searchPath, wideRoots }: HomeRequest): HomeView {
  if (wideRoots.some((root) => isInside(home, root))) {
    // The user wants this very folder to be seen, so the private one stays where it is.
    return { path: privateHome, mounts: [], masks: credentials(home) }
  }
  const path = isUsable(home) ? home : "/home/haft"
  return {
    path,
    mounts: [
      { kind: "write", source: privateHome, target: path },
      ...(path === home ? toolchains(home, searchPath) : []),
      { kind: "read", source: gitConfig, target: join(path, ".gitconfig") },
    ],
    masks: [],
  }
}

/** A home directory that is the machine itself, or a part of it that the view needs, cannot be replaced. */
function isUsable(home: string): boolean {
  const system = ["/usr", "/etc", "/bin", "/sbin", "/lib", "/proc", "/dev", "/sys", "/run", "/var/run"]
  return !["/", "/var", "/tmp"].includes(home) && !system.some((folder) => isInside(home, folder))
}

function credentials(home: string): readonly Mount[] {
  return credentialNames.flatMap((name) => {
    const target = join(home, name)
    const facts = lstatSync(target, { throwIfNoEntry: false })
    if (!facts || facts.isSymbolicLink()) return []
    return [{ kind: "hide", target, what: facts.isDirectory() ? "directory" : "file" } as const]
  })
}
