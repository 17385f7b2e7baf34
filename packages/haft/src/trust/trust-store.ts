import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { readTextFile } from "../config/read-text-file.js"
import { isPlainObject } from "../config/setting-value.js"
import { writePrivateFile } from "../config/write-private-file.js"
import type { FolderIdentity } from "./folder-identity.js"

/** A folder that a person trusts, with the hash of every widening entry that was shown. */
export interface TrustedFolder extends FolderIdentity {
  readonly entries: readonly string[]
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Whether a folder is trusted; `replaced` when another folder is at the trusted path now. */
export type TrustState = "trusted" | "untrusted" | "replaced"

/** The trusted folders of the user. */
export function readTrust(configHome: string): readonly TrustedFolder[] {
  const path = trustFile(configHome)
  const text = readTextFile(path)
  if (text === undefined) return []
  const folders = parse(text)
  if (folders) return folders
  throw new ToolError("not_configured", `Cannot use "${path}": it is not a trust file of Haft`, {
    hint: "Remove it and trust the folders again with: haft trust DIR",
  })
}

/** Remembers a folder in place of what was known about its path. */
export function saveTrust(configHome: string, folder: TrustedFolder): void {
  write(configHome, [...readTrust(configHome).filter(({ path }) => path !== folder.path), folder])
}

/** Forgets a folder; false when it was not trusted. */
export function removeTrust(configHome: string, path: string): boolean {
  const folders = readTrust(configHome)
  const kept = folders.filter((folder) => folder.path !== path)
  if (kept.length === folders.length) return false
  write(configHome, kept)
  return true
}

/** The trust of a folder, and the entries that may widen. */
export function trustOf(
  folders: readonly TrustedFolder[],
  identity: FolderIdentity,
): { readonly state: TrustState; readonly entries: ReadonlySet<string> } {
  const known = folders.find(({ path }) => path === identity.path)
  if (!known) return { state: "untrusted", entries: new Set() }
  const same = known.device === identity.device && known.inode === identity.inode
  return same ? { state: "trusted", entries: new Set(known.entries) } : { state: "replaced", entries: new Set() }
}

/** Where trust is kept: beside the user's configuration, outside every workspace. */
export function trustFile(configHome: string): string {
  return join(configHome, "trust.json")
}

function write(configHome: string, folders: readonly TrustedFolder[]): void {
  writePrivateFile(trustFile(configHome), `${JSON.stringify({ folders }, null, 2)}\n`)
}

function parse(text: string): readonly TrustedFolder[] | undefined {
  try {
    const value = JSON.parse(text) as unknown
    if (!isPlainObject(value) || !Array.isArray(value.folders) || !value.folders.every(isTrustedFolder))
      return undefined
    return value.folders
  } catch {
    return undefined
  }
}

function isTrustedFolder(value: unknown): value is TrustedFolder {
  if (!isPlainObject(value) || !Array.isArray(value.entries)) return false
  const texts = [value.path, value.device, value.inode, ...(value.entries as unknown[])]
  return texts.every((text) => typeof text === "string") && typeof value.at === "number"
}
