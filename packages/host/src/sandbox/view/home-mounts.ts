import { lstatSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { isInside } from "@haft/contract"
import type { Mount } from "./mount.js"

/** What the home directory of a sandbox is made from. */
export interface HomeRequest {
  /** The user's home directory, links followed. */
  readonly home: string
  /** The folder of the session that takes its place. */
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

/** Folders of the home directory that belong together: when PATH leads into the first, all of them are needed. */
const families: readonly (readonly string[])[] = [
  [".cargo/bin", ".rustup"],
  [".pyenv"],
  [".rbenv"],
  [".nodenv"],
  [".nvm"],
  [".volta"],
  [".fnm"],
  [".local/share/fnm", ".local/state/fnm_multishells"],
  [".asdf"],
  [".local/share/mise"],
  [".sdkman"],
  ["go/bin"],
  [".deno/bin"],
  [".bun/bin"],
  [".local/bin", ".local/share/uv", ".local/pipx", ".local/share/pipx"],
]

/** Names in a home directory that hold credentials; nothing below them is ever bound. */
const credentialNames = [
  ".ssh",
  ".aws",
  ".azure",
  ".gnupg",
  ".kube",
  ".docker",
  ".config",
  ".npmrc",
  ".netrc",
  ".pgpass",
  ".pypirc",
  ".git-credentials",
  ".password-store",
  ".local/share/keyrings",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".m2/settings.xml",
  ".m2/settings-security.xml",
  ".gradle/gradle.properties",
] as const

/** Where PATH leads below the home directory, with the toolchains those folders belong to, read-only. */
function toolchains(home: string, searchPath: readonly string[]): readonly Mount[] {
  const below = searchPath.filter((folder) => folder !== home && isInside(folder, home))
  const wanted = below.flatMap((folder) => familyOf(relative(home, folder)))
  return outermost([...new Set(wanted)])
    .filter((name) => isBindable(home, name))
    .map((name) => ({ kind: "read", source: join(home, name), target: join(home, name) }))
}

function familyOf(folder: string): readonly string[] {
  const family = families.find((names) => names.some((name) => isInside(folder, name)))
  return family ?? [folder]
}

function isBindable(home: string, name: string): boolean {
  if (credentialNames.some((secret) => isInside(name, secret) || isInside(secret, name))) return false
  const path = join(home, name)
  // A link may lead anywhere, also to a whole home directory; its target is not what the table names.
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false
  return !lstatSync(path).isSymbolicLink()
}

function outermost(names: readonly string[]): readonly string[] {
  return names.filter((name) => !names.some((other) => other !== name && isInside(name, other)))
}
