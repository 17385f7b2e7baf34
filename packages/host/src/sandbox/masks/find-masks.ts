import { lstatSync, readFileSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { type FactsRequest, type FileEffectKind, isInside } from "@haft/contract"
import { exists } from "../../files/system/look.js"
import { FoundInDirectories, type IndexedDirectory, type WorkspaceIndex } from "../../workspace-index/index.js"
import type { Mount } from "../view/mount.js"

/** A mount that covers what a rule denies. */
export type Mask = Extract<Mount, { readonly kind: "hide" | "read" }>

/** What must be covered in a root. */
export interface Masks {
  readonly mounts: readonly Mount[]
  /** A rule denies writing so many files that the whole root is better read-only. */
  readonly freezeRoot: boolean
  readonly notes: readonly string[]
  /** Folders in which something that rules deny may be open. */
  readonly unscanned: readonly string[]
  readonly complete: boolean
  /** Denied files with more than one name that are in a denied folder, and so have no mount of their own. */
  readonly linked: readonly { readonly path: string; readonly hidden: boolean }[]
}

/** What the rules say about paths. */
export interface MaskRules {
  readonly denies: (kind: FileEffectKind, path: string) => boolean
  readonly rulesKey?: unknown
  readonly deniesNone?: FactsRequest["deniesNone"]
}

/** More masks than this make every command slow, and a user who needs them should move the files instead. */
export const maxMasks = 2000

/** Finds what is denied in the trees, and sockets, devices and FIFOs of the host. */
export function createMasks(indexes: readonly WorkspaceIndex[]): (rules: MaskRules) => Masks {
  let last: MaskRules = { denies: () => false }
  const roots = indexes.map(({ root }) => root)
  const verdicts = new FoundInDirectories(indexes, (directory) => {
    const found = directory.unread === undefined ? judge(directory, last) : []
    return found.length > 0 ? found : undefined
  })
  return (rules) => {
    if (rules.rulesKey === undefined || rules.rulesKey !== last.rulesKey) verdicts.forget()
    last = rules
    // The target of a link can change without a change of the directory that it is in.
    const cover = (one: Denied) =>
      covered(one).filter(({ path, hidden }) => hidden || roots.some((root) => isInside(path, root)))
    return toMasks(
      verdicts.values().flatMap((found) => found.flatMap((one) => (one.what === "link" ? cover(one) : [one]))),
      indexes,
    )
  }
}

interface Denied {
  readonly path: string
  readonly what: "file" | "directory" | "link"
  /** Hidden from reading; otherwise only from writing. */
  readonly hidden: boolean
  /** It had more than one name when it was judged. */
  readonly isLinked: boolean
}

function judge(directory: IndexedDirectory, { denies, deniesNone }: MaskRules): readonly Denied[] {
  const found: Denied[] = []
  const cover = (path: string, what: Denied["what"], hidden: boolean) => {
    const denied = { path, what, hidden, isLinked: false }
    found.push(...(what === "file" ? covered(denied) : [denied]))
  }
  if (directory.isClosed) cover(directory.path, "directory", true)
  const prefix = directory.path === "/" ? "/" : `${directory.path}/`
  const judgeOne = (path: string, what: Denied["what"]) => {
    if (denies("fs.read", path)) cover(path, what, true)
    else if (denies("fs.write", path)) cover(path, what, false)
  }
  const { files, folders, others } = namesToJudge(directory, deniesNone)
  for (const name of files) judgeOne(prefix + name, "file")
  for (const name of folders) judgeOne(prefix + name, "directory")
  for (const { name, kind } of others) {
    if (kind === "link") judgeOne(prefix + name, kind)
    else found.push({ path: prefix + name, what: "file", hidden: true, isLinked: false })
  }
  return found
}

/** The names of a directory that rules may deny, and what is hidden whatever they say. */
function namesToJudge({ path, entries }: IndexedDirectory, deniesNone: MaskRules["deniesNone"]) {
  if (!deniesNone?.(path === "/" ? "" : path, entries.text)) return entries
  return { files: [], folders: [], others: entries.others.filter(({ kind }) => kind === "special") }
}

/**
 * A link cannot be covered itself: what it points to is, where that is a file of the machine. What is outside the roots
 * cannot be written anyway, and to bind it read-only would be to show it.
 */
function covered(denied: Denied): readonly Denied[] {
  const { path, what, hidden } = denied
  try {
    const target = what === "link" ? realpathSync(path) : path
    const facts = lstatSync(target)
    const isLinked = facts.isFile() && facts.nlink > 1
    return [{ path: target, what: facts.isDirectory() ? "directory" : "file", hidden, isLinked }]
  } catch {
    // What came to an end meanwhile needs no cover; what cannot be looked at gets one.
    return what === "link" ? [] : [denied]
  }
}

function toMasks(denied: readonly Denied[], indexes: readonly WorkspaceIndex[]): Masks {
  const hidden = outermost(denied.filter((one) => one.hidden))
  const frozen = outermost(denied.filter((one) => !one.hidden))
  const stopped = indexes.flatMap((index) => index.stopped() ?? [])
  const freezeRoot = frozen.length > maxMasks
  const notes = [
    ...stopped.map((why) => `not all of the workspace was looked through for files that rules deny: ${why}`),
    ...(freezeRoot
      ? ["the workspace is read-only: rules deny writing too many of its files to hold each of them"]
      : []),
  ]
  const mounts: Mount[] = [
    ...(freezeRoot ? [] : frozen.map(({ path }) => ({ kind: "read", source: path, target: path }) as const)),
    ...hidden.map(({ path, what }) => {
      return { kind: "hide", target: path, what: what === "directory" ? what : "file" } as const
    }),
  ]
  const own = new Set(mounts.map(({ target }) => target))
  const linked = denied.filter(({ path, isLinked }) => isLinked && !own.has(path))
  return { mounts, freezeRoot, notes, unscanned: [], complete: stopped.length === 0, linked }
}

/** Sorted, without what is inside another one: a mask covers everything below it. */
function outermost(denied: readonly Denied[]): readonly Denied[] {
  const sorted = [...denied].sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0))
  const kept: Denied[] = []
  const folders: string[] = []
  for (const one of sorted) {
    if (kept.at(-1)?.path === one.path || folders.some((folder) => isInside(one.path, folder))) continue
    if (one.what === "directory") folders.push(one.path)
    kept.push(one)
  }
  return kept
}

/**
 * Covers what rules deny in the folders that tools fill by themselves (installed packages, objects of git, virtual
 * environments, build output). Their files are judged like all others; only certificates without a key are left open,
 * because programs cannot reach anything without those that they bring along.
 */
export function createUnreadLook(indexes: readonly WorkspaceIndex[]): (masks: Masks, rules: MaskRules) => Masks {
  let last: MaskRules = { denies: () => false }
  const denied = new FoundInDirectories(indexes, (directory): Look | undefined => {
    const found = directory.unread === undefined ? [] : deniedIn(directory, last)
    return found.length > 0 ? { folder: directory.unread!, found } : undefined
  })
  return (masks, rules) => {
    if (rules.rulesKey === undefined || rules.rulesKey !== last.rulesKey) denied.forget()
    last = rules
    const unfinished = indexes.flatMap((index) => index.unfinished())
    return withLooks(masks, denied.values(), unfinished)
  }
}

/** What was found in one directory. */
interface Look {
  /** The folder that tools fill in which it is. */
  readonly folder: string
  readonly found: readonly Mask[]
}

/** So many are hidden; where there are more, a person is asked. */
const maxUnread = 100

function withLooks(masks: Masks, looks: readonly Look[], unfinished: readonly string[]): Masks {
  const found = withoutCovered(looks.flatMap((look) => look.found)).filter(({ target }) => exists(target))
  const tooMany = found.length > maxUnread
  const open = tooMany ? [...new Set(looks.map(({ folder }) => folder))] : []
  const notes = [
    ...(unfinished.length > 0
      ? [`not all of ${named(unfinished)} was looked through for files that rules deny in time`]
      : []),
    ...(tooMany
      ? [`${found.length} files in ${named(open)} that rules deny can be read: they are too many to hide`]
      : []),
  ]
  return {
    ...masks,
    mounts: [...masks.mounts, ...(tooMany ? [] : found)],
    notes: [...masks.notes, ...notes],
    unscanned: [...new Set([...unfinished, ...open])],
    complete: masks.complete && notes.length === 0,
  }
}

/** Without what is in a folder that is hidden as a whole. */
function withoutCovered(found: readonly Mask[]): readonly Mask[] {
  const folders = new Set(
    found.flatMap((mask) => (mask.kind === "hide" && mask.what === "directory" ? mask.target : [])),
  )
  const isCovered = (path: string): boolean => {
    for (let above = dirname(path); above !== dirname(above); above = dirname(above))
      if (folders.has(above)) return true
    return false
  }
  return folders.size === 0 ? found : found.filter(({ target }) => !isCovered(target))
}

const maxNamed = 5

function named(folders: readonly string[]): string {
  const names = folders.slice(0, maxNamed).map((folder) => `"${folder}"`)
  return [...names, ...(folders.length > maxNamed ? [`${folders.length - maxNamed} more folders`] : [])].join(", ")
}

function deniedIn(directory: IndexedDirectory, { denies, deniesNone }: MaskRules): readonly Mask[] {
  const { files, folders, others } = namesToJudge(directory, deniesNone)
  const isDenied = (target: string) => denies("fs.read", target)
  const at = (name: string) => join(directory.path, name)
  const hide = (target: string, what: "file" | "directory"): Mask => ({ kind: "hide", target, what })
  return [
    ...files.flatMap((name) => (isDenied(at(name)) && !isCertificate(at(name)) ? hide(at(name), "file") : [])),
    ...folders.flatMap((name) => (isDenied(at(name)) ? hide(at(name), "directory") : [])),
    // What a link points to is looked at where it is.
    ...others.flatMap(({ name, kind }) => (kind === "special" ? hide(at(name), "file") : [])),
  ]
}

const maxCertificateBytes = 1024 * 1024

/** A file with certificates and no key: everybody may know those. */
function isCertificate(path: string): boolean {
  if (!/\.(pem|crt|cer)$/i.test(path)) return false
  try {
    if (lstatSync(path).size > maxCertificateBytes) return false
    const text = readFileSync(path, "latin1")
    return text.includes("-----BEGIN CERTIFICATE-----") && !text.includes("PRIVATE KEY")
  } catch {
    return false
  }
}
