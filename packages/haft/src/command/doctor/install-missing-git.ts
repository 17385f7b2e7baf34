import { gitBuild, installedGitFolder, installGit } from "@haft/host"
import type { Invocation } from "../invocation.js"
import type { Io } from "../io.js"
import { note } from "../print.js"
import { setUp } from "../setup.js"

/**
 * Installs a build of git from the address and with the hash that the user's own configuration names. A person asks for
 * this; no tool and no project can.
 */
export async function installMissingGit(invocation: Invocation, io: Io): Promise<void> {
  const { places, configuration } = await setUp(invocation, io)
  const baseUrl = configuration.values.get("git.baseUrl") as string | undefined
  const sha256 = configuration.values.get("git.sha256") as string | undefined
  const build = gitBuild({ ...(baseUrl && { baseUrl }), ...(sha256 && { sha256 }) })
  const target = installedGitFolder(places.userHome)
  const { path, version } = await installGit({ ...build, target, ...(io.signal ? { signal: io.signal } : {}) })
  note(invocation, io, `installed git ${version} as ${path}`)
}
