import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { gitIdentity } from "@haft/git"
import { markSessionFolder, temporaryFolders, temporaryIn, temporaryMode } from "../../files/session-folder.js"
import { realPath } from "../../files/system/look.js"
import { chooseIdentity, type Identity } from "../backend.js"
import { searchPath as cleanSearchPath } from "../environment/environment.js"
import { findOwnProgram } from "../environment/programs.js"
import { HomeQuota } from "../limit/home-quota.js"
import { createLimiter, type Limiter, withDefaults } from "../limit/limiter.js"
import type { SandboxOptions } from "../options.js"
import type { SessionPlace } from "../view/build-view.js"
import { type HomeView, homeMounts } from "../view/home-mounts.js"
import type { Mount } from "../view/mount.js"
import { privateSettings, systemMounts } from "../view/system-mounts.js"
import { type ChosenBackend, chooseBackend, type FailedBackend } from "./choose-backend.js"
import { type SandboxFiles, writeSandboxFiles } from "./sandbox-files.js"

/** Everything about the machine and the session that is the same for all its commands. */
export interface SandboxHost {
  readonly chosen: ChosenBackend | readonly FailedBackend[]
  readonly files: SandboxFiles
  readonly limiter: Limiter
  readonly searchPath: readonly string[]
  readonly home: HomeView
  /** Of what commands write beside the workspace. */
  readonly quota: HomeQuota
  readonly system: readonly Mount[]
  /** Covers that hold whatever the rules say. */
  readonly masks: readonly Mount[]
  readonly state: readonly Mount[]
  readonly hidden: readonly string[]
  /** Folders of the session that commands write and that last from one to the next. */
  readonly places: readonly SessionPlace[]
  readonly user: string
  readonly shell: string
  readonly notes: readonly string[]
}

/** Finds out about the machine, once a session; programs are not taken from `roots`. A failure leaves no groups behind. */
export async function setUpHost(options: SandboxOptions, roots: readonly string[]): Promise<SandboxHost> {
  const limiter = createLimiter(withDefaults(options.limits))
  try {
    return await setUpLimitedHost(options, roots, limiter)
  } catch (error) {
    await limiter.close()
    throw error
  }
}

async function setUpLimitedHost(
  options: SandboxOptions,
  roots: readonly string[],
  limiter: Limiter,
): Promise<SandboxHost> {
  const searchPath = cleanSearchPath(options.path, roots)
  const files = writeSandboxFiles(options.haftHome, options)
  const folders = makeFolders(options)
  const [chosen, git] = await Promise.all([
    chooseBackend({
      ...{ searchPath, roots, files },
      limiter,
      identityFor: ({ programs }) => chooseIdentity(options.roots[0] ?? "/", programs.setpriv !== undefined),
      ...(options.backends && { names: options.backends }),
    }),
    gitIdentity(findOwnProgram("git", searchPath, roots), options.home),
  ])
  writeFileSync(folders.gitConfig, git.lines)
  const identity = "identity" in chosen ? chosen.identity : undefined
  if (identity?.kind === "owner") giveTo(identity, [folders.home, folders.tmp, folders.scratch, options.cacheFolder])
  const home = homeMounts({
    home: realPath(options.home),
    privateHome: folders.home,
    gitConfig: folders.gitConfig,
    searchPath,
    wideRoots: options.roots.filter((root) => options.isWide?.(root)),
  })
  return {
    chosen,
    files,
    limiter,
    searchPath,
    home,
    quota: new HomeQuota({
      folders: [folders.home, folders.tmp, folders.outside],
      maxBytes: limiter.limits.homeBytes,
      shownAs: [home.path, ...temporaryFolders],
      except: options.roots.map(realPath),
    }),
    system: systemMounts(files, { ...limiter.limits, temporaryFolder: folders.tmp }),
    masks: [...(identity?.kind === "root" ? privateSettings() : []), ...home.masks],
    state: [
      ...(home.path === folders.home ? [{ kind: "write", source: folders.home, target: folders.home } as const] : []),
      { kind: "write", source: options.cacheFolder, target: options.cacheFolder },
      { kind: "write", source: folders.scratch, target: folders.scratch },
      { kind: "read", source: folders.out, target: folders.out },
    ],
    hidden: [options.haftHome, ...(options.hidden ?? [])].map(realPath).filter((path) => existsSync(path)),
    places: [
      ...temporaryFolders.map((target) => ({ source: folders.tmp, target, isSealed: true })),
      ...(home.path === folders.home ? [] : [{ source: folders.home, target: home.path }]),
    ],
    user: userName(identity),
    shell: findOwnProgram("bash", ["/bin", "/usr/bin"]) ?? "/bin/sh",
    notes: git.signs ? ["commits made here are not signed: signing keys stay outside the sandbox"] : [],
  }
}

function makeFolders({ sessionFolder, cacheFolder }: SandboxOptions) {
  const folders = {
    scratch: join(sessionFolder, "scratch"),
    // Where nothing that commands or tools may move is above it: the next command gets what is at this path.
    home: join(sessionFolder, "home"),
    tmp: temporaryIn(sessionFolder),
    outside: join(sessionFolder, "outside"),
    out: join(sessionFolder, "out"),
    sandbox: join(sessionFolder, "sandbox"),
  }
  markSessionFolder(sessionFolder)
  for (const folder of [...Object.values(folders), cacheFolder]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folders.tmp, temporaryMode)
  return { ...folders, gitConfig: join(folders.sandbox, "gitconfig") }
}

function giveTo({ uid, gid }: { readonly uid: number; readonly gid: number }, folders: readonly string[]): void {
  for (const folder of folders) chownSync(folder, uid, gid)
}

/** The name of who the command is; a number where nobody wrote one down. */
function userName(identity: Identity | undefined): string {
  const uid = identity?.kind === "owner" ? identity.uid : process.getuid?.()
  try {
    const line = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .find((entry) => entry.split(":")[2] === String(uid))
    return line?.split(":")[0] ?? String(uid)
  } catch {
    return userInfo().username
  }
}
