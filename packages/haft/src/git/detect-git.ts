import { execFile } from "node:child_process"
import { delimiter, dirname } from "node:path"
import { promisify } from "node:util"
import { bestEffort, gitInstallCommand } from "@haft/contract"
import { findProgram } from "@haft/host"
import { gitProgram, installedGitFolder } from "./installed-git-folder.js"

/** The git of this machine, or the way to get one. */
export type GitFound =
  | { readonly state: "ready"; readonly path: string; readonly version: string }
  | { readonly state: "old"; readonly path: string; readonly version: string; readonly fix: string }
  | { readonly state: "missing"; readonly fix: string }

// Before, git cannot list work trees without ambiguity, nor leave the user's settings aside (2.32).
const oldest = [2, 36] as const

/** Finds git on the search path or where Haft installed one, never inside a root. */
export async function detectGit(place: {
  readonly path: string
  readonly roots: readonly string[]
  readonly home: string
  readonly signal?: AbortSignal
}): Promise<GitFound> {
  const path = [place.path, dirname(gitProgram(installedGitFolder(place.home)))].join(delimiter)
  const program = findProgram("git", { path, roots: place.roots })
  const version = program === undefined ? undefined : await gitVersion(program, place.signal)
  const command = await gitInstallCommand(async (name) => findProgram(name, place))
  const fix = [...(command === undefined ? [] : [command]), "haft doctor --install git"].join(", or ")
  if (program === undefined || version === undefined) return { state: "missing", fix }
  return isOld(version) ? { state: "old", path: program, version, fix } : { state: "ready", path: program, version }
}

/** The version that a git says it has; undefined when it does not run. */
export async function gitVersion(program: string, signal?: AbortSignal): Promise<string | undefined> {
  return await bestEffort("a git that does not answer is none", async () => {
    const { stdout } = await promisify(execFile)(program, ["--version"], {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
      timeout: 10_000,
      ...(signal && { signal }),
      windowsHide: true,
    })
    return /^git version (\d+\.\d+\S*)/.exec(stdout)?.[1]
  })
}

function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1])
}
