import type { Hunk } from "@haft/contract"
import { type OutputOf, ToolError, type ToolResult } from "@haft/contract"
import type { manifest as editManifest } from "@haft/tools/files/edit/index.js"
import type { manifest as lsManifest } from "@haft/tools/files/ls.js"
import type { manifest as moveManifest } from "@haft/tools/files/move/index.js"
import type { manifest as writeManifest } from "@haft/tools/files/write/index.js"
import * as z from "zod"
import { dataOf, given } from "../shared/parts-of-result.js"
import { lobeRow } from "./lobe-row.js"
import { baseName, folderOf } from "./paths.js"

/** The package for files and commands of this machine. */
export const localSystem = "lobe-local-system"

const path = z.string().min(1)

/** Lists a directory. */
export const listLocalFilesRow = lobeRow(localSystem, {
  api: "listLocalFiles",
  titles: { en: "List files", "zh-CN": "列出文件" },
  tool: "ls",
  description: "List files and folders in a specified directory.",
  input: z.strictObject({ path: path.describe("The directory path to list") }),
  toArguments: (input) => input,
  state: (result, { path: folder }) => {
    const { entries } = dataOf<OutputOf<typeof lsManifest>>(result)
    const files = entries.map(({ name, type, size, mtime }) => ({
      name,
      path: `${folder.replace(/\/$/, "")}/${name}`,
      type,
      isDirectory: type === "directory",
      size,
      modifiedTime: mtime,
    }))
    return { files, totalCount: files.length }
  },
})

export const writeLocalFileRow = lobeRow(localSystem, {
  api: "writeLocalFile",
  titles: { en: "Write file", "zh-CN": "写入文件" },
  tool: "write",
  description: "Write content to a specific file. Overwrites an existing file or creates a new one.",
  input: z.strictObject({
    path: path.describe("The file path to write to"),
    content: z.string().describe("The content to write"),
  }),
  keys: { file_path: "path" },
  toArguments: ({ path: file_path, content }) => ({ file_path, content }),
  state: (result) => {
    const { bytes_written } = dataOf<OutputOf<typeof writeManifest>>(result)
    return { bytesWritten: bytes_written, success: true }
  },
})

/** Replaces text in a file. */
export const editLocalFileRow = lobeRow(localSystem, {
  api: "editLocalFile",
  titles: { en: "Edit file", "zh-CN": "编辑文件" },
  tool: "edit",
  description:
    "Perform exact string replacements in files. old_string must match exactly once unless replace_all is set.",
  input: z.strictObject({
    file_path: path.describe("The path of the file to modify"),
    old_string: z.string().describe("The exact text to replace"),
    new_string: z.string().describe("The text to replace with (must differ from old_string)"),
    replace_all: z.boolean().optional().describe("Replace all occurrences of old_string (default: false)"),
  }),
  toArguments: given,
  state: (result) => {
    const { replacements } = dataOf<OutputOf<typeof editManifest>>(result)
    const hunks = hunksOf(result)
    const lines = hunks.flatMap((hunk) => hunk.lines)
    return {
      diffText: diffText(hunks),
      linesAdded: lines.filter((line) => line.startsWith("+")).length,
      linesDeleted: lines.filter((line) => line.startsWith("-")).length,
      replacements,
    }
  },
})

/** Moves files and folders. */
export const moveLocalFilesRow = lobeRow(localSystem, {
  api: "moveLocalFiles",
  titles: { en: "Move files", "zh-CN": "移动文件" },
  tool: "move",
  description: "Moves or renames multiple files/directories; all of them or none.",
  input: z.strictObject({
    items: z
      .array(
        z.strictObject({
          oldPath: path.describe("The current path of the file/directory"),
          newPath: path.describe("The target path (can include a new name)"),
        }),
      )
      .min(1)
      .describe("A list of move/rename operations to perform"),
  }),
  keys: { moves: "items", from: "oldPath", to: "newPath" },
  toArguments: ({ items }) => ({ moves: items.map(({ oldPath, newPath }) => ({ from: oldPath, to: newPath })) }),
  state: (result) => {
    const { moved } = dataOf<OutputOf<typeof moveManifest>>(result)
    const results = moved.map(({ from, to }) => ({ sourcePath: from, newPath: to, success: true }))
    return { results, successCount: results.length }
  },
})

/** Gives a file or folder another name. */
export const renameLocalFileRow = lobeRow(localSystem, {
  api: "renameLocalFile",
  titles: { en: "Rename", "zh-CN": "重命名" },
  tool: "move",
  description: "Rename a file or folder in its place.",
  input: z.strictObject({
    path: path.describe("The current path of the file or folder"),
    newName: z.string().min(1).describe("The new name, without a path"),
  }),
  toArguments: ({ path: from, newName }) => ({ moves: [{ from, to: renamed(from, newName) }] }),
  state: (_result, { path: from, newName }) => ({ newPath: renamed(from, newName), success: true }),
})

function renamed(from: string, newName: string): string {
  if (newName !== "." && newName !== ".." && baseName(newName) === newName) return `${folderOf(from)}${newName}`
  throw new ToolError("invalid_args", `Cannot rename "${from}" to "${newName}": a name has no folders in it`, {
    hint: "To put it into another folder use moveLocalFiles",
  })
}

function hunksOf({ state }: ToolResult): readonly Hunk[] {
  return (state as { readonly hunks?: readonly Hunk[] } | null | undefined)?.hunks ?? []
}

function diffText(hunks: readonly Hunk[]): string {
  return hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join("\n"),
    )
    .join("\n")
}
