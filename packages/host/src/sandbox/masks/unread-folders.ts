import { lstatSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { exists } from "../../files/system/exists.js"
import { FoundInDirectories, type IndexedDirectory, type WorkspaceIndex } from "../../workspace-index/index.js"
import type { Mask } from "./follow-moved.js"
import type { MaskRules, Masks } from "./masks-of.js"

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
  /** The folder that tools fill in which it lies. */
  readonly folder: string
  readonly found: readonly Mask[]
}

/** So many are hidden; where there are more, a person is asked. */
const maxUnread = 100

function withLooks(masks: Masks, looks: readonly Look[], unfinished: readonly string[]): Masks {
  const found = outermost(looks.flatMap((look) => look.found)).filter(({ target }) => exists(target))
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

/** Without what lies in a folder that is hidden as a whole. */
function outermost(found: readonly Mask[]): readonly Mask[] {
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

function deniedIn({ path, entries }: IndexedDirectory, { denies }: MaskRules): readonly Mask[] {
  return entries.flatMap(({ name, kind }): readonly Mask[] => {
    const target = join(path, name)
    // What a link leads to is looked at where it lies.
    if (kind === "link") return []
    const what = kind === "directory" ? "directory" : "file"
    if (kind !== "special" && !denies("fs.read", target)) return []
    return what === "directory" || kind === "special" || !isCertificate(target) ? [{ kind: "hide", target, what }] : []
  })
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
