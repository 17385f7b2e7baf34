import { closeSync, lstatSync } from "node:fs"
import { dirname } from "node:path"
import { isInside, type ObservedEffect, type SandboxedCall } from "@haft/contract"
import { contentHash, hashInPieces } from "../../files/system/content-hash.js"
import type { ContentPack } from "../keep/content-pack.js"
import { openPlainly } from "../keep/copy-files.js"
import { folderIdentity, linkIdentity, specialIdentity } from "../keep/entry-identity.js"
import { storeObject } from "../keep/history-object.js"
import { whyNoContent, whyNotKept } from "../keep/keep-contents.js"
import type { Difference } from "./compare-snapshots.js"
import type { ObserveLimits } from "./observe-limits.js"
import type { Entry, Snapshot } from "./scan-workspace.js"

/** Stands where the content of a file was never read: no content has this hash, so nothing can be mistaken for it. */
export const unknownHash = "unknown"

/** What is needed to record what a command did. */
export interface RecordRequest {
  readonly call: SandboxedCall
  readonly roots: readonly string[]
  readonly before: Snapshot
  readonly pack: ContentPack
  readonly historyFolder: string
  readonly limits: ObserveLimits
}

/** A change with the effect that records it. */
export interface RecordedChange {
  readonly difference: Difference
  readonly effect: FileChange
}

type FileChange = Extract<ObservedEffect, { readonly kind: "fs.write" | "fs.delete" }>

/** Records each change as an effect of the call, with the former content in the history wherever there is a copy. */
export async function recordChanges(
  differences: readonly Difference[],
  request: RecordRequest,
): Promise<readonly RecordedChange[]> {
  const recorded: RecordedChange[] = []
  let hashedBytes = 0
  for (const difference of differences) {
    hashedBytes += difference.after?.size ?? 0
    const effect = await effectOf(difference, request, hashedBytes <= request.limits.hashBytes)
    if (!effect) continue
    request.call.observe(effect)
    recorded.push({ difference, effect })
  }
  return recorded
}

async function effectOf(
  difference: Difference,
  request: RecordRequest,
  mayHash: boolean,
): Promise<FileChange | undefined> {
  const { path, before, after } = difference
  const kind = after ? "fs.write" : "fs.delete"
  // What took the place of a file can be taken away again, whatever it is.
  const passing = after?.kind === "other" && before?.kind !== "other" ? { ...after, kind: "file" as const } : after
  const outside = [before, passing].map((entry) => entry && whyNoContent(entry)).find((reason) => reason !== undefined)
  // Without any content an undo passes it over instead of refusing the whole call.
  if (outside !== undefined) return { kind, path, before: null, after: null, kept: outside }
  const former = await formerContent(difference, request)
  const hash = after && (plainIdentity(after) ?? (mayHash ? await hashNow(path, after) : unknownHash))
  if (hash === null) return undefined
  const changesMode = before !== undefined && after?.kind === before.kind && after.mode !== before.mode
  if (former.hash === hash && !changesMode) return undefined
  return {
    kind,
    path,
    before: former.hash,
    after: hash ?? null,
    kept: former.kept,
    ...(before && before.kind !== "link" && { mode: before.mode }),
    ...(changesMode && { newMode: after.mode }),
    ...(!before && { createdDirectories: createdDirectories(path, request) }),
  }
}

async function formerContent(
  { path, before }: Difference,
  { call, pack, historyFolder, limits }: RecordRequest,
): Promise<{ readonly hash: string | null; readonly kept: true | string }> {
  if (!before) return { hash: null, kept: true }
  const identity = plainIdentity(before)
  if (identity !== undefined) return { hash: identity, kept: true }
  const bytes = pack.read(path, before)
  if (!bytes) {
    const reason = whyNotKept(path, before, { grant: call.grant, limits })
    return { hash: unknownHash, kept: reason ?? "the workspace is larger than what is kept" }
  }
  const hash = contentHash(bytes)
  return { hash, kept: await storeObject(historyFolder, hash, bytes) }
}

/** All that there is of a link, an empty folder or a pipe; undefined for a file, which has a content. */
function plainIdentity({ kind, text }: Entry): string | undefined {
  if (kind === "directory") return folderIdentity
  if (kind === "other") return specialIdentity
  return text === undefined ? undefined : linkIdentity(text)
}

/** Null when the file is gone or exchanged meanwhile; a file that is there and not to be read has changed all the same. */
async function hashNow(path: string, { ino }: Entry): Promise<string | null> {
  const file = openPlainly(path)
  if (!file) return lstatSync(path, { throwIfNoEntry: false })?.ino === ino ? unknownHash : null
  try {
    return await hashInPieces(file.descriptor)
  } finally {
    closeSync(file.descriptor)
  }
}

function createdDirectories(path: string, { before, roots }: RecordRequest): readonly string[] {
  const created: string[] = []
  const isNew = (folder: string) =>
    !before.has(folder) && roots.some((root) => folder !== root && isInside(folder, root))
  for (let folder = dirname(path); isNew(folder); folder = dirname(folder)) created.unshift(folder)
  return created
}
