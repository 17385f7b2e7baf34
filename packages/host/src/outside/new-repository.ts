import { isPlainSettings } from "../sandbox/protected/made-by-git.js"

/**
 * Whether a file of a repository that a command has just made is one that git itself makes there: protected names, which
 * would otherwise need an approval each. A configuration counts only when all of its keys are known to run nothing.
 */
export function isMadeByGit(path: string, text: () => string): boolean {
  const inside = /(?:^|\/)\.git\/(?:modules\/(?:[^/]+\/)*?(?=hooks|config|info\/|config\.worktree))?(.*)$/.exec(
    path,
  )?.[1]
  if (inside === undefined) return false
  if (inside === "hooks" || /^hooks\/[^/]+\.sample$/.test(inside)) return true
  if (inside === "config") return isPlainSettings(text(), () => false)
  // What else there is of submodules: their objects and references.
  return (
    /(?:^|\/)\.git\/modules(?:\/|$)/.test(path) &&
    !/(?:^|\/)(?:hooks|config|config\.worktree|info\/attributes)(?:\/|$)/.test(path)
  )
}
