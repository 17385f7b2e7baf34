import { lstatSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { isInside } from "@haft/contract"
import type { Mount } from "./mount.js"

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
export const credentialNames = [
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
export function toolchains(home: string, searchPath: readonly string[]): readonly Mount[] {
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
