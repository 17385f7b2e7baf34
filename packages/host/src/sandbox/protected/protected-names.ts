/**
 * Names that make other programs run code, below each root and each directory that holds a repository: those that the
 * default rules ask about in every case. A mount holds them at these places also while they are absent.
 */
export const protectedNames: readonly string[] = [
  ".git/hooks",
  ".git/config",
  ".git/config.worktree",
  ".git/info/attributes",
  ".git/modules/*/hooks",
  ".git/modules/*/config",
  ".gitmodules",
  ".mcp.json",
  ".vscode",
  ".idea",
  ".zed",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  ".envrc",
  ".env",
  ".cargo/config.toml",
  ".husky",
  ".claude",
  ".codex",
  ".gemini",
  ".cursor",
  ".agents",
  ".haft",
  "haft.jsonc",
  "haft.local.jsonc",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".gitconfig",
]

/** The same names below a repository that is outside the workspace. */
export const protectedInRepository: readonly string[] = protectedNames.flatMap((name) =>
  name.startsWith(".git/") ? [name.slice(".git/".length)] : [],
)

/** Held where they exist, though no rule asks about them: cargo still reads its settings under the older name. */
export const protectedWhenPresent: readonly string[] = [".cargo/config"]

/**
 * Names whose program fails when it finds a directory in place of its file, with the file that tells that the program is
 * used here; always where there is no such file. The name is then left free and looked at after the command.
 */
export const noDirectory: Readonly<Record<string, string | undefined>> = {
  ".cargo/config.toml": undefined,
  ".env": undefined,
  // Seldom written: a placeholder for each would be one more name that no command expects.
  ".bash_login": undefined,
  ".zshenv": undefined,
  ".zprofile": undefined,
  ".zlogin": undefined,
  ".yarnrc": "yarn.lock",
  ".yarnrc.yml": "yarn.lock",
  ".pnpmfile.cjs": "pnpm-lock.yaml",
  ".npmrc": "pnpm-lock.yaml",
}

/** Whether a name is protected in every folder; `.env.*` means more names than a list has. */
function isProtectedName(name: string): boolean {
  return isProtectedFolded(folded(name))
}

/** The same for a name that is folded already. */
export function isProtectedFolded(name: string): boolean {
  return plainNames.has(name) || name.startsWith(".env.")
}

/** Whether a name is protected in a folder of this name. */
function isProtectedIn(folder: string, name: string): boolean {
  return namesInFolder(folder)?.has(folded(name)) === true
}

/** The folded names that are protected in a folder of this name. */
export function namesInFolder(folder: string): ReadonlySet<string> | undefined {
  return inFolders.get(folded(folder))
}

/** Files like this show what to write into another one; no program reads them by itself. */
export function isTemplate(name: string): boolean {
  return /^\.env\.(example|sample|template|dist)$/.test(folded(name))
}

/** Whether a path, as its parts below a root, is a name that other programs obey, or is in one, at any depth. */
export function isProtected(parts: readonly string[]): boolean {
  return parts.some((part, index) => {
    if (isProtectedName(part)) return true
    if (index > 0 && isProtectedIn(parts[index - 1]!, part)) return true
    return folded(part) === ".git" && isProtectedInGit(parts.slice(index + 1))
  })
}

/** Names in a directory of git, of the repository or of one of its modules. */
export const protectedInGit: readonly string[] = ["hooks", "config", "config.worktree"]

function isProtectedInGit(parts: readonly string[]): boolean {
  const plain = parts.map(folded)
  const [first, second] = plain
  if (first === undefined) return false
  if (protectedInGit.includes(first) || first === "commondir") return true
  if (first === "info" && second === "attributes") return true
  return first === "modules" && plain.slice(2).some((part) => protectedInGit.includes(part))
}

/** As rules compare names: a file system that ignores case finds them under any. */
export function folded(name: string): string {
  return (beyondAscii.test(name) ? name.normalize("NFC") : name).toLowerCase()
}

const beyondAscii = /[^\x00-\x7f]/

const plainNames = new Set(protectedNames.filter((name) => !name.includes("/")))
const inFolders = new Map<string, Set<string>>()
for (const [folder, name] of protectedNames.map((path) => path.split("/"))) {
  if (folder === undefined || name === undefined || folder === ".git") continue
  inFolders.set(folder, new Set([...(inFolders.get(folder) ?? []), name]))
}

/** All that a name can be protected by: in every folder, in some, or in a directory of git. */
const anywhere = [
  ...plainNames,
  ...[...inFolders.values()].flatMap((names) => [...names]),
  ...protectedInGit,
  ...["commondir", "attributes", ".git"],
]
const literal = anywhere.map((name) => name.replaceAll(".", "\\."))
const someProtected = new RegExp(`[^\\x00-\\x7f]|(?:^|/)(?:${literal.join("|")}|\\.env\\.[^/]*)(?=/|$)`, "i")

/**
 * Whether one of the names, with slashes between them, may be protected somewhere. Most directories have no such name, and
 * one search is quicker than a look at each (benchmark: workspace-size, first read).
 */
export function mayHoldProtected(names: string): boolean {
  return someProtected.test(names)
}
