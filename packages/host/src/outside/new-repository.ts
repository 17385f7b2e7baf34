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
  if (inside === "config") return isHarmlessConfig(text())
  // What else there is of submodules: their objects and references.
  return (
    /(?:^|\/)\.git\/modules(?:\/|$)/.test(path) &&
    !/(?:^|\/)(?:hooks|config|config\.worktree|info\/attributes)(?:\/|$)/.test(path)
  )
}

/** Written out as git writes it; anything unusual counts as dangerous. */
function isHarmlessConfig(text: string): boolean {
  let section = ""
  return text.split("\n").every((line) => {
    const head = /^\[([\w.-]+)(?: "[^"\\\n]*")?\]$/.exec(line.trim())
    if (head) {
      section = head[1]!.toLowerCase()
      return section in harmlessKeys
    }
    if (line.trim() === "") return true
    const entry = /^\s*([A-Za-z][\w-]*) = ([^\\"]*)$/.exec(line)
    if (!entry) return false
    const [, key = "", value = ""] = entry
    // A transport that runs a program, or an option of one.
    if (key.toLowerCase() === "url" && /^-|^[\w+.-]+::/.test(value.trim())) return false
    return harmlessKeys[section]?.includes(key.toLowerCase()) === true
  })
}

const harmlessKeys: Readonly<Record<string, readonly string[]>> = {
  core: [
    ...[
      "repositoryformatversion",
      "filemode",
      "bare",
      "logallrefupdates",
      "ignorecase",
      "precomposeunicode",
      "symlinks",
    ],
  ],
  extensions: ["objectformat", "refstorage", "compatobjectformat"],
  remote: ["url", "fetch", "tagopt", "promisor", "partialclonefilter"],
  branch: ["remote", "merge", "rebase"],
  submodule: ["active", "url"],
}
