import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { isInside } from "@haft/contract"

/** Names that are no text stay as their bytes. */
type Path = string | Buffer

/**
 * Whether settings of a repository hold only what git itself writes when it makes or clones one. Strict where git is
 * not: a line that is written in any unusual way is not read, and then the whole file counts as something else.
 */
export function isPlainSettings(text: string, worktree: (value: string) => boolean): boolean {
  if (/[^\t\n\x20-\x7e\x80-\uffff]/.test(text)) return false
  let section: string | undefined
  return text.split("\n").every((line) => {
    if (/^[ \t]*([#;].*)?$/.test(line)) return true
    const header = /^\[([A-Za-z0-9-]+)( "[^"\\]*")?\][ \t]*$/.exec(line)
    if (header) {
      section = header[1]!.toLowerCase() + (header[2] === undefined ? "" : ".*")
      return true
    }
    const setting = /^[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=[ \t]*([^"\\]*))?$/.exec(line)
    if (!setting || section === undefined) return false
    const check = plainSettings.get(`${section}.${setting[1]!.toLowerCase()}`)
    return check === "worktree" ? worktree(setting[2] ?? "") : check?.test(setting[2] ?? "") === true
  })
}

const anything = /^/
/** Where to fetch from, and not a program that fetches (`ext::...`) nor an option. */
const place = /^(?!-)(?![A-Za-z0-9+.-]*::)/

/** Settings without a way to run a program or to read another file. */
const plainSettings: ReadonlyMap<string, RegExp | "worktree"> = new Map<string, RegExp | "worktree">([
  ...[
    "core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode",
    "core.symlinks core.autocrlf core.eol core.sparsecheckout core.sparsecheckoutcone index.sparse core.sharedrepository",
    "receive.denynonfastforwards extensions.compatobjectformat extensions.objectformat extensions.refstorage extensions.worktreeconfig extensions.partialclone",
    "remote.*.fetch remote.*.tagopt remote.*.promisor remote.*.partialclonefilter remote.*.mirror",
    "branch.*.remote branch.*.merge branch.*.rebase branch.*.description",
    "submodule.active submodule.*.active submodule.*.branch",
    "user.name user.email init.defaultbranch lfs.repositoryformatversion",
  ].flatMap((names) => names.split(" ").map((name) => [name, anything] as const)),
  ...["remote.*.url", "remote.*.pushurl", "submodule.*.url"].map((name) => [name, place] as const),
  ["core.worktree", "worktree"],
])

/** The text of a regular file of at most this size; undefined for everything else. Links are not followed. */
export function readSmall(path: Path): string | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const facts = fstatSync(descriptor)
    if (!facts.isFile() || facts.size > maxBytes) return undefined
    const bytes = Buffer.alloc(maxBytes + 1)
    const count = readSync(descriptor, bytes, 0, bytes.length, 0)
    return count > maxBytes ? undefined : bytes.toString("utf8", 0, count)
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

const maxBytes = 64 * 1024

/**
 * Whether `.git` or `commondir` points to a place in these folders: what is there is looked at like every other directory
 * of git. `at` is where it can be read, `folder` where it is.
 */
export function leadsInto(at: Path, folder: string, folders: readonly string[]): boolean {
  const text = linkText(at) ?? readSmall(at)
  if (text === undefined) return false
  const target = text.replace(/^gitdir: /, "").replace(/\n+$/, "")
  try {
    const real = realpathSync(resolve(folder, target))
    return folders.some((one) => isInside(real, one))
  } catch {
    // Git cannot follow it either, and a process that makes that place later is looked at then.
    return liesInOne(resolve(folder, target), folders)
  }
}

function liesInOne(path: string, folders: readonly string[]): boolean {
  try {
    const above = realpathSync(dirname(path))
    return folders.some((one) => isInside(above, one))
  } catch {
    return false
  }
}

function linkText(path: Path): string | undefined {
  try {
    return readlinkSync(path).toString()
  } catch {
    return undefined
  }
}
