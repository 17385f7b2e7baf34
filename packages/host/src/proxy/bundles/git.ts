import { statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { type Machine, textOf } from "./machine.js"

/** The remotes of the repositories at the roots. Their settings are read as text: git itself would obey them. */
export async function gitAddresses({ roots }: Machine): Promise<readonly string[]> {
  return roots.flatMap((root) => remotesIn(textOf(join(gitFolder(root), "config"))))
}

function remotesIn(config: string): readonly string[] {
  const sections = config.split(/^(?=\s*\[)/m).filter((section) => /^\s*\[remote\s/.test(section))
  return sections
    .flatMap((section) =>
      [...section.matchAll(/^\s*(?:push)?url\s*=\s*"?([^"\n]+)"?\s*$/gim)].map(([, url]) => url!.trim()),
    )
    .map(asAddress)
}

/** `user@host:path` is how git writes ssh. */
function asAddress(url: string): string {
  const short = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)/.exec(url)
  return short ? `ssh://${short[1]}:22` : url
}

/** A worktree or submodule has a file that says where its repository is; a worktree's settings are in the common one. */
function gitFolder(root: string): string {
  const path = join(root, ".git")
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  const target = /^gitdir:\s*(.+?)\s*$/m.exec(textOf(path))?.[1]
  if (target === undefined) return path
  const folder = resolve(root, target)
  const common = textOf(join(folder, "commondir")).trim()
  return common === "" ? folder : resolve(dirname(join(folder, "commondir")), common)
}
