/** Whether a subcommand does no more with other words: none of its options runs a program. */
export function isOpenSubcommand(program: string, subcommand: string): boolean {
  return openSubcommands.get(program)?.has(subcommand) ?? false
}

// Interpreters, shells, wrappers, package runners, build tools and network clients are not here and must not be: with
// other words they run other programs (`go test -exec`, `cargo build --config`). Of git only what runs none.
const openSubcommands: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["git", new Set(["add", "commit", "status", "branch", "switch", "restore", "tag"])],
])
