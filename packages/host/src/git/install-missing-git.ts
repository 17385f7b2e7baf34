import { existsSync } from "node:fs"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { cancelled } from "../wait.js"
import { type GitInstallOptions, installGit } from "./install-git.js"

/** What the user's configuration says about a git that is missing. */
export interface MissingGit extends Partial<Pick<GitInstallOptions, "baseUrl" | "sha256">> {
  /** The folder that gets `bin/git`. */
  readonly target: string
  /** Told in words what is done; must not throw. */
  readonly onProgress?: (text: string) => void
}

/** The build to take; refuses where the configuration names none. */
export function gitBuild({
  baseUrl,
  sha256,
}: Pick<MissingGit, "baseUrl" | "sha256">): Pick<GitInstallOptions, "baseUrl" | "sha256"> {
  if (baseUrl !== undefined && sha256 !== undefined) return { baseUrl, sha256 }
  throw new ToolError("not_configured", "Cannot install git: the configuration does not say which build to take", {
    fix: "Run: haft config set git.baseUrl URL; haft config set git.sha256 HASH",
  })
}

/**
 * Makes what installs git once for all calls of a session. Whoever comes while it runs waits for the same install, and a
 * failure is not repeated: the same build would fail again, after the same download.
 */
export function createGitInstaller(git: MissingGit): (signal: AbortSignal) => Promise<string> {
  let attempt: { readonly owner: AbortSignal; readonly path: Promise<string> } | undefined
  return async (signal) => {
    for (;;) {
      signal.throwIfAborted()
      attempt ??= { owner: signal, path: install(git, signal) }
      const { owner, path } = attempt
      try {
        return await path
      } catch (error) {
        if (!owner.aborted) throw error
        // Given up by the call that began it, which says nothing about the build.
        if (attempt?.owner === owner) attempt = undefined
        if (owner === signal) throw cancelled(signal)
      }
    }
  }
}

async function install(git: MissingGit, signal: AbortSignal): Promise<string> {
  const { target, onProgress } = git
  const path = join(target, "bin", "git")
  // Another process may have installed it since this session looked.
  if (existsSync(path)) return path
  const build = gitBuild(git)
  onProgress?.(`git is missing: installing the configured build to ${target}`)
  try {
    const installed = await installGit({ ...build, target, ifMissing: true, signal })
    onProgress?.(`installed git ${installed.version} as ${installed.path}`)
    return installed.path
  } catch (error) {
    if (!ToolError.is(error)) throw error
    throw new ToolError("not_configured", `Cannot run "git": it is missing and was not installed. ${error.message}`, {
      fix:
        error.fix ?? "Check git.baseUrl and git.sha256 with: haft config explain git.baseUrl; or install git yourself",
      cause: error,
    })
  }
}
