import { existsSync } from "node:fs"
import { ToolError } from "@haft/contract"
import { cancelled } from "@haft/host"
import { type GitInstallOptions, installGit } from "./install-git.js"
import { gitProgram } from "./installed-git-folder.js"

/** What the user's configuration says about a git that is missing. */
export interface MissingGit extends Partial<Pick<GitInstallOptions, "baseUrl" | "sha256">> {
  /** The folder that gets `bin/git`. */
  readonly target: string
  /** Called with words about what is done; must not throw. */
  readonly onProgress?: (text: string) => void
}

/** A build of git that is known by its content; the user confirms it once, by naming it in the configuration. */
interface KnownGitBuild {
  /** Who built it: git itself publishes no builds. */
  readonly builder: string
  readonly version: string
  readonly baseUrl: string
  readonly archive: string
  readonly sha256: string
}

const dugite = (asset: string, sha256: string): KnownGitBuild => ({
  builder: "GitHub Desktop (dugite-native v2.53.0-4)",
  version: "2.53.0",
  baseUrl: "https://github.com/desktop/dugite-native/releases/download/v2.53.0-4",
  archive: `dugite-native-v2.53.0-4098283-${asset}.tar.gz`,
  sha256,
})

/** By platform and architecture. The sums are those that the builders and several projects publish for these files. */
const knownGitBuilds: Readonly<Record<string, KnownGitBuild>> = {
  "linux-x64": dugite("ubuntu-x64", "cca76aa31ad9e835e771ee7f55b73934777fbd8d16757a10d307ba06de860901"),
  "linux-arm64": dugite("ubuntu-arm64", "a161f45af4626bb7e0c688854bd4a9aee47cc514bca404cff0a5e3536ef1c0af"),
  "darwin-x64": dugite("macOS-x64", "ae6686718aa34f4140424db16b92a47dcffd6d1f312eb8b5f3b267f7404e2680"),
  "darwin-arm64": dugite("macOS-arm64", "f9dc64635a5b62fbd7ad95db73268bbb8912255ac516d65d37bf7af22fcb8ffe"),
  "win32-x64": {
    builder: "Git for Windows (MinGit)",
    version: "2.48.1",
    baseUrl: "https://github.com/git-for-windows/git/releases/download/v2.48.1.windows.1",
    archive: "MinGit-2.48.1-64-bit.zip",
    sha256: "11e8f462726827acccc7ecdad541f2544cbe5506d70fef4fa1ffac7c16288709",
  },
}

/** The build to take; refuses where the configuration names none, and names the known one of this platform. */
export function gitBuild(
  { baseUrl, sha256 }: Pick<MissingGit, "baseUrl" | "sha256">,
  platform = `${process.platform}-${process.arch}`,
): Pick<GitInstallOptions, "baseUrl" | "sha256" | "archive"> {
  const known = Object.hasOwn(knownGitBuilds, platform) ? knownGitBuilds[platform] : undefined
  if (baseUrl !== undefined && sha256 !== undefined) {
    const isKnown = known !== undefined && baseUrl.replace(/\/+$/, "") === known.baseUrl
    return { baseUrl, sha256, ...(isKnown && { archive: known.archive }) }
  }
  throw new ToolError("not_configured", "Cannot install git: the configuration does not say which build to take", {
    fix: known === undefined ? settingsFix("URL", "HASH") : confirmation(known),
  })
}

function settingsFix(baseUrl: string, sha256: string): string {
  return `Run: haft config set git.baseUrl ${baseUrl}; haft config set git.sha256 ${sha256}`
}

function confirmation({ builder, version, baseUrl, sha256 }: KnownGitBuild): string {
  return `${settingsFix(baseUrl, sha256)}, to confirm git ${version}, built by ${builder}`
}

/**
 * Makes what installs git once for all calls of a session. A call that comes while it runs waits for the same install, and a
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
  const path = gitProgram(target)
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
