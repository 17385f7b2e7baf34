import type { DiffHunk } from "../shared/diff/parse-diff.js"

export type FilePatch = AddedFile | DeletedFile | UpdatedFile

/** A new file. */
export interface AddedFile {
  readonly action: "add"
  readonly path: string
  /** One that adds every line; none for an empty file. */
  readonly hunks: readonly DiffHunk[]
  readonly note?: string
}

/** A file that goes. */
export interface DeletedFile {
  readonly action: "delete"
  readonly path: string
  /** The content that the patch believes to remove; undefined when it does not say. */
  readonly hunks: readonly DiffHunk[] | undefined
}

/** A file that changes, gets another name, or both. */
export interface UpdatedFile {
  readonly action: "update"
  readonly path: string
  /** Its new name. */
  readonly to?: string
  /** Hunks with line numbers, or pieces whose place is found by their lines. */
  readonly change: { readonly hunks: readonly DiffHunk[] } | { readonly pieces: readonly Piece[] }
  readonly note?: string
}

/** A change in a patch of the Begin Patch form. */
export interface Piece {
  /** Number of its first line in the patch, for messages. */
  readonly patchLine: number
  /** Lines of the file above the change, outermost first. */
  readonly anchors: readonly string[]
  readonly lines: readonly { readonly sign: " " | "-" | "+"; readonly text: string }[]
  /** True when the change is at the end of the file. */
  readonly atEnd: boolean
}

/** How many separate changes a file gets. */
export function changeCount(patch: FilePatch): number {
  if (patch.action !== "update") return patch.hunks?.length ?? 0
  return "hunks" in patch.change ? patch.change.hunks.length : patch.change.pieces.length
}
