/** Names that make other programs run code, below each root and each directory that holds a repository. */
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
]

/** The same names below a repository that lies outside the workspace. */
export const protectedInRepository: readonly string[] = protectedNames.flatMap((name) =>
  name.startsWith(".git/") ? [name.slice(".git/".length)] : [],
)

/** Protected only where they exist: absent ones are harmless in a project, and a home directory is never writable. */
export const protectedWhenPresent: readonly string[] = [
  ".bashrc",
  ".bash_profile",
  ".profile",
  ".zshrc",
  ".gitconfig",
  ".cargo/config",
]

/**
 * Names whose program fails when it finds a directory in place of its file, with the file that tells that the program is
 * used here. There the name is left free and looked at after the run.
 */
export const cannotStand: Readonly<Record<string, string | undefined>> = {
  ".cargo/config.toml": undefined,
  ".yarnrc": "yarn.lock",
  ".yarnrc.yml": "yarn.lock",
  ".pnpmfile.cjs": "pnpm-lock.yaml",
  ".npmrc": "pnpm-lock.yaml",
}
