import { type Dirent, lstatSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createTurns } from "../../observe/create-turns.js"
import type { Mask } from "./follow-moved.js"
import type { Masks, MaskRules } from "./masks-of.js"
import type { TreeIndex } from "./tree-index.js"

/**
 * Looks through the folders that the index leaves out (installed packages, objects of git, virtual environments, build
 * output) for what rules deny, once and again when one of them changed at its top. Their files are judged like all others;
 * only certificates without a key are left open, because programs cannot reach anything without those that they bring along.
 */
export function createUnreadLook(indexes: readonly TreeIndex[]): (masks: Masks, rules: MaskRules) => Promise<Masks> {
  let known = new Map<string, Look>()
  let lastKey: unknown
  return async (masks, rules) => {
    if (rules.rulesKey === undefined || rules.rulesKey !== lastKey) known = new Map()
    lastKey = rules.rulesKey
    const folders = indexes.flatMap((index) => index.unread())
    const turns = createTurns()
    const looks = new Map<string, Look>()
    for (const folder of folders) {
      const stamp = stampOf(folder)
      const before = known.get(folder)
      const isCurrent = before?.stamp === stamp && before.isWhole
      looks.set(folder, isCurrent ? before : { stamp, ...(await lookThrough(folder, rules, turns)) })
    }
    known = looks
    return withLooks(masks, looks)
  }
}

/** What was found in one folder. */
interface Look {
  readonly stamp: string
  readonly found: readonly Mask[]
  readonly isWhole: boolean
}

// Half a million names take about a second to read, and as long again to judge.
const maxMs = 3000
/** So many are hidden; where there are more, a person is asked. */
const maxUnread = 100

function withLooks(masks: Masks, looks: ReadonlyMap<string, Look>): Masks {
  const found = [...looks.values()].flatMap((look) => look.found).filter(({ target }) => exists(target))
  const unfinished = [...looks].filter(([, { isWhole }]) => !isWhole).map(([folder]) => folder)
  const tooMany = found.length > maxUnread
  const open = tooMany ? [...looks].filter(([, look]) => look.found.length > 0).map(([folder]) => folder) : []
  const notes = [
    ...(unfinished.length > 0
      ? [`not all of ${named(unfinished)} was looked through for files that rules deny in ${maxMs} ms`]
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

const maxNamed = 5

function named(folders: readonly string[]): string {
  const names = folders.slice(0, maxNamed).map((folder) => `"${folder}"`)
  return [...names, ...(folders.length > maxNamed ? [`${folders.length - maxNamed} more folders`] : [])].join(", ")
}

async function lookThrough(
  folder: string,
  { denies }: MaskRules,
  turns: ReturnType<typeof createTurns>,
): Promise<Omit<Look, "stamp">> {
  const found: Mask[] = []
  const pending = [folder]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    for (const entry of entriesOf(path)) {
      const target = join(path, entry.name)
      const what = entry.isDirectory() ? "directory" : "file"
      // What a link leads to is looked at where it lies.
      if (entry.isSymbolicLink()) continue
      const isSpecial = what === "file" && !entry.isFile()
      if (isSpecial || denies("fs.read", target)) {
        if (what === "directory" || isSpecial || !isCertificate(target)) found.push({ kind: "hide", target, what })
      } else if (what === "directory") pending.push(target)
    }
    if (turns.isOver(maxMs)) return { found, isWhole: false }
    await turns.breathe()
  }
  return { found, isWhole: true }
}

/** Package managers write these at the end; a folder deep inside changes without its top, and nothing but they does that. */
const records = [".package-lock.json", ".modules.yaml", ".yarn-state.yml", "pyvenv.cfg", "CACHEDIR.TAG"]

function stampOf(folder: string): string {
  return ["", ...records].map((name) => changeOf(join(folder, name))).join()
}

function changeOf(path: string): number | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.ctimeMs
  } catch {
    return undefined
  }
}

function exists(path: string): boolean {
  return changeOf(path) !== undefined
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

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
