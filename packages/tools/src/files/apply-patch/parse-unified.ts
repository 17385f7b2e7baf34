import { ToolError } from "@haft/contract"
import { type DiffHunk, parseHunks } from "../shared/diff/parse-diff.js"
import type { FilePatch } from "./file-patch.js"
import { malformed } from "./malformed.js"
import { type FileHeader, readFileHeader } from "./read-file-header.js"

/** Reads a unified diff of one or more files, with or without the headers that git writes. */
export function parseUnified(lines: readonly string[]): readonly FilePatch[] {
  const files: FilePatch[] = []
  for (let at = 0; at < lines.length; ) {
    const header = readFileHeader(lines, at)
    if (header) {
      const { hunks, next } = parseHunks(lines, header.next)
      files.push(filePatch(header, hunks, at + 1))
      at = next
      continue
    }
    // Words of a mail or of a tool may be between files, but no change that belongs to none.
    if (lines[at]!.startsWith("@@ -"))
      throw malformed("a hunk without the name of a file (--- and +++) before it", at + 1)
    at += 1
  }
  return files
}

function filePatch(header: FileHeader, hunks: readonly DiffHunk[], patchLine: number): FilePatch {
  const { oldPath, newPath, isRename, note } = header
  const noted = note === undefined ? {} : { note }
  if (oldPath === undefined && newPath === undefined) throw malformed("both names are /dev/null", patchLine)
  if (oldPath === undefined) {
    const isWhole = hunks.length <= 1 && hunks.every(({ oldCount }) => oldCount === 0)
    if (!isWhole) throw malformed(`the new file "${newPath}" has lines to remove or keep`, patchLine)
    return { action: "add", path: newPath!, hunks, ...noted }
  }
  if (newPath === undefined) return { action: "delete", path: oldPath, hunks }
  if (!isRename && oldPath !== newPath) {
    throw malformed(`it names two files, "${oldPath}" and "${newPath}", and does not say "rename from"`, patchLine)
  }
  if (hunks.length === 0 && !isRename && note !== undefined) {
    throw new ToolError("unsupported", `Cannot use the patch: line ${patchLine}: modes cannot be set`)
  }
  if (hunks.length === 0 && !isRename) throw malformed(`there is no change for "${newPath}"`, patchLine)
  return { action: "update", path: oldPath, ...(isRename && { to: newPath }), change: { hunks }, ...noted }
}
