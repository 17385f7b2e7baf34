import { installedGitFolder, installGit } from "@haft/host"
import { ToolError } from "@haft/contract"
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
  if (baseUrl === undefined || sha256 === undefined) {
    throw new ToolError("not_configured", "Cannot install git: the configuration does not say which build to take", {
      hint: "Run: haft config set git.baseUrl URL; haft config set git.sha256 HASH",
    })
  }
  const target = installedGitFolder(places.userHome)
  const { path, version } = await installGit({ baseUrl, sha256, target, ...(io.signal ? { signal: io.signal } : {}) })
  note(invocation, io, `installed git ${version} as ${path}`)
}
