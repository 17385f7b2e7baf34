import type { BigIntStats, Dirent } from "node:fs"
import { basename, dirname, relative, resolve, sep } from "node:path"
import { isInside } from "@haft/contract"
import { type CommittedFiles, isPlainSettings, leadsInto, readSmall } from "@haft/git"
import { bigStatsOf } from "../../files/system/look.js"
import type { WorkspaceIndex } from "../../workspace-index/index.js"
import type { Approvals } from "./approvals.js"
import { entriesIn, type FoundName, type Path, type Place, within } from "./find-protected.js"
import { holdFolders } from "./held-folders.js"
import { type KnownNames, linkMark, type State, stampOf } from "./known-names.js"
import { isTemplate } from "./protected-names.js"
import type { Offender } from "./quarantine.js"

/** The repositories that git may have worked in. */
export interface Repositories {
  readonly indexes: readonly WorkspaceIndex[]
  /** Repositories outside the roots that commands may see. */
  readonly gitDirs: readonly string[]
  /** What the roots had committed when the session began. */
  readonly committed: readonly CommittedFiles[]
}

/** What a changed name is judged by. */
export interface Judging {
  readonly known: KnownNames
  readonly approvals: Approvals
  readonly repositories: Repositories
}

/** What of a name is to be moved away: the name, or what is in it, where some of that may stay. */
export function offendersIn(name: FoundName, { known, approvals, repositories }: Judging): readonly Offender[] {
  const { shown, path, role } = name
  const folders = holdFolders()
  try {
    const at = folders.within(path)
    const facts = at === undefined ? undefined : bigStatsOf(at)
    if (at === undefined || !facts || approvals.cover(shown) || mayStay(name, at, facts, repositories)) return []
    const before = known.stateOf(shown)
    const isCheckedOut = known.has(shown) ? () => false : checkedOut(name, repositories)
    const rules = { before, approvals, isCheckedOut, mayStay: role === "hooks" ? isSample : () => false }
    const isSame = before?.get("") === stampOf(at, facts) || isCheckedOut("", at)
    if (facts.isDirectory() && (isSame || role === "hooks" || approvals.reachInto(shown))) {
      return offendersBelow(name, "", rules)
    }
    if (isSame) return []
    const text = before?.get("")
    return [{ shown, path, ...(text?.startsWith(linkMark) && { link: text.slice(linkMark.length) }) }]
  } finally {
    folders.close()
  }
}

/** What git itself makes for a new repository, and templates. */
function mayStay(
  { shown, path, role }: FoundName,
  at: Path,
  facts: BigIntStats,
  { indexes, gitDirs }: Repositories,
): boolean {
  const places = [...indexes.map(({ root }) => root), ...gitDirs]
  const folder = typeof path === "string" ? dirname(path) : undefined
  if (role === "pointer") return folder !== undefined && leadsInto(at, folder, places)
  if (!facts.isFile()) return false
  if (role !== "settings") return isTemplate(basename(shown))
  const text = readSmall(at)
  const isOwn = (worktree: string) =>
    folder !== undefined && places.some((place) => isInside(resolve(folder, worktree), place))
  return text !== undefined && isPlainSettings(text, isOwn)
}

/**
 * What git checks out in a work tree of its own, a linked one or a clone: names that the commit from the session's start
 * has at the same place. Only for names that were not there before this command.
 */
function checkedOut(
  { shown, path, role }: FoundName,
  { indexes, committed }: Repositories,
): BelowRules["isCheckedOut"] {
  const root = indexes.find((index) => isInside(shown, index.root))?.root
  if (root === undefined || role !== "plain" || typeof path !== "string") return () => false
  let top = dirname(path)
  while (top !== root && !bigStatsOf(`${top}/.git`)) top = dirname(top)
  if (top === root) return () => false
  const name = relative(top, path).split(sep)
  return (below, at) =>
    typeof at === "string" &&
    committed.some((one) => {
      const inner = Buffer.from(below, "latin1").toString().split("/").slice(1)
      return one.isCheckedOut([...name, ...inner], at)
    })
}

interface BelowRules {
  readonly before: State | undefined
  readonly approvals: Approvals
  readonly mayStay: (entry: Dirent<Buffer>) => boolean
  /** By the path below the name, and where it is. */
  readonly isCheckedOut: (below: string, path: Path) => boolean
}

function offendersBelow(folder: Place, inner: string, rules: BelowRules): readonly Offender[] {
  const { before, approvals, isCheckedOut, mayStay } = rules
  return entriesIn(folder.path).flatMap((entry): readonly Offender[] => {
    const place = within(folder, entry.name)
    const below = `${inner}/${entry.name.toString("latin1")}`
    const facts = bigStatsOf(place.path)
    if (!facts || approvals.cover(place.shown) || mayStay(entry)) return []
    const isSame = before?.get(below) === stampOf(place.path, facts) || isCheckedOut(below, place.path)
    if (facts.isDirectory() && (isSame || approvals.reachInto(place.shown))) {
      return offendersBelow(place, below, rules)
    }
    return isSame ? [] : [place]
  })
}

/** Git never runs a hook of such a name. */
function isSample(entry: Dirent<Buffer>): boolean {
  return !entry.isDirectory() && entry.name.toString("latin1").endsWith(".sample")
}
