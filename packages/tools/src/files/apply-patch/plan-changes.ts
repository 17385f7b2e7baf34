import { type Context, ToolError } from "@haft/contract"
import { applyDiff } from "../shared/diff/apply-diff.js"
import type { DiffHunk } from "../shared/diff/parse-diff.js"
import { maxTextBytes } from "../shared/text/open-text.js"
import type { DeletedFile, FilePatch, UpdatedFile } from "./file-patch.js"
import type { manifest } from "./index.js"
import { placePieces } from "./place-pieces.js"

/** The files as this tool reaches them. */
export type Files = Context<(typeof manifest)["requires"]>["files"]

/** One change that is ready to be made: everything is read, checked and computed. */
export type Change =
  | { readonly kind: "write"; readonly path: string; readonly bytes: Uint8Array }
  | { readonly kind: "update"; readonly path: string; readonly hash: string; readonly bytes: Uint8Array }
  | { readonly kind: "move"; readonly path: string; readonly to: string }
  | { readonly kind: "remove"; readonly path: string; readonly hash: string | undefined }

/** What a patch comes to: the changes in the order in which they are made, and the hunks of each file. */
export interface ChangePlan {
  readonly changes: readonly Change[]
  readonly hunks: ReadonlyMap<FilePatch, readonly DiffHunk[]>
}

/** Bytes of all files together that are held while a patch is applied. */
const maxTotalBytes = 256 * 1024 * 1024

/** Reads and checks everything and computes every new content; nothing is changed. */
export async function planChanges(patches: readonly FilePatch[], files: Files): Promise<ChangePlan> {
  const changes: Change[] = []
  const hunks = new Map<FilePatch, readonly DiffHunk[]>()
  const places = new Map<string, string>()
  let total = 0
  for (const patch of patches) {
    await claim(patch.path, patch.action === "add" ? "missing" : "present")
    if (patch.action === "update" && patch.to !== undefined) await claim(patch.to, "missing")
    const planned = await planFile(patch, files)
    changes.push(...planned.changes)
    hunks.set(patch, planned.hunks)
    for (const change of planned.changes) if ("bytes" in change) total += change.bytes.length
    if (total > maxTotalBytes) {
      throw new ToolError(
        "too_large",
        `Cannot apply the patch: its files have more than ${maxTotalBytes} bytes; split it`,
      )
    }
  }
  // What cannot always be taken back exactly, such as a link, comes last.
  const last = changes.filter(({ kind }) => kind === "remove")
  return { changes: [...changes.filter(({ kind }) => kind !== "remove"), ...last], hunks }

  /** Each place belongs to one file of the patch, by whatever name it is spelled. */
  async function claim(path: string, wanted: "missing" | "present"): Promise<void> {
    const { resolved, kind } = await files.locate(path)
    const other = places.get(resolved)
    if (other !== undefined) {
      throw new ToolError("invalid_args", `Cannot apply the patch: "${other}" and "${path}" are the same file`)
    }
    places.set(resolved, path)
    if (wanted === "present" || kind === "missing") return
    throw new ToolError("conflict", `Cannot apply the patch: "${path}" exists already; nothing was changed`, {
      hint: "Update the file, or choose another name",
      details: { path },
    })
  }
}

interface PlannedFile {
  readonly changes: readonly Change[]
  readonly hunks: readonly DiffHunk[]
}

async function planFile(patch: FilePatch, files: Files): Promise<PlannedFile> {
  if (patch.action === "delete") return planRemoval(patch, files)
  if (patch.action === "update") return planUpdate(patch, files)
  const { path, hunks } = patch
  const bytes = await applyDiff(new Uint8Array(), hunks, path)
  return { changes: [{ kind: "write", path, bytes }], hunks }
}

async function planRemoval({ path, hunks }: DeletedFile, files: Files): Promise<PlannedFile> {
  if (hunks === undefined) {
    const facts = await files.stat(path)
    // Opening says best what is wrong with a path where no file is.
    if (facts?.kind !== "file") await (await files.open(path)).close()
    return { changes: [{ kind: "remove", path, hash: undefined }], hunks: [] }
  }
  const { bytes, hash } = await files.readAll(path, { maxBytes: maxTextBytes })
  const left = await applyDiff(bytes, hunks, path)
  if (left.length > 0) {
    throw new ToolError(
      "conflict",
      `Cannot delete "${path}": the patch does not remove all of it, ${left.length} bytes would be left; nothing was changed`,
      { hint: "Read the file again", details: { path } },
    )
  }
  return { changes: [{ kind: "remove", path, hash }], hunks }
}

async function planUpdate({ path, to, change }: UpdatedFile, files: Files): Promise<PlannedFile> {
  const { bytes, hash } = await files.readAll(path, { maxBytes: maxTextBytes })
  const count = "hunks" in change ? change.hunks.length : change.pieces.length
  let hunks: readonly DiffHunk[] = "hunks" in change ? change.hunks : []
  const changes: Change[] = to === undefined ? [] : [{ kind: "move", path, to }]
  if (count === 0) return { changes, hunks }
  const updated = await applyDiff(
    bytes,
    (text) => {
      if ("pieces" in change) hunks = placePieces(text, change.pieces, path)
      return hunks
    },
    path,
  )
  return { changes: [...changes, { kind: "update", path: to ?? path, hash, bytes: updated }], hunks }
}
