import { type OutputOf, ToolError, type ToolResult } from "@haft/contract"
import type { manifest } from "@haft/tools/files/read/index.js"
import * as z from "zod"
import { dataOf, textOf } from "../shared/parts-of-result.js"
import { lobeRow } from "./lobe-row.js"
import { localSystem } from "./local-file-rows.js"
import { baseName, extensionOf } from "./paths.js"
import type { manifest as readFilesManifest } from "./tools/read-files/index.js"

type Page = Pick<OutputOf<typeof manifest>, "content" | "start_line" | "line_count" | "total_lines">

const defaultRange = [0, 200] as const
const range = z
  .array(z.int().min(0))
  .length(2)
  .optional()
  .describe("Range of lines [start, end], 0-based, the end not included; default [0, 200]")

/** Reads a part of a file. */
export const readLocalFileRow = lobeRow(localSystem, {
  api: "readLocalFile",
  titles: { en: "Read file", "zh-CN": "读取文件" },
  tool: "read",
  description: "Read the content of a file.",
  input: z.strictObject({ path: z.string().min(1).describe("The file path to read"), loc: range }),
  keys: { file_path: "path", offset: "loc", limit: "loc" },
  toArguments: ({ path, loc }) => ({ file_path: path, ...linesOf(loc) }),
  content: (result, { loc }) => inTheirWords(result, linesOf(loc).limit),
  state: (result, { path }) => fileState(path, dataOf<Page>(result)),
})

/** Reads the same part of several files. */
export const readLocalFilesRow = lobeRow(localSystem, {
  api: "readLocalFiles",
  titles: { en: "Read files", "zh-CN": "读取多个文件" },
  tool: "read_files",
  description: "Read the content of several files; one that cannot be read does not fail the rest.",
  input: z.strictObject({
    paths: z.array(z.string().min(1)).min(1).max(50).describe("The file paths to read"),
    loc: range,
  }),
  keys: { offset: "loc", limit: "loc" },
  toArguments: ({ paths, loc }) => ({ paths, ...linesOf(loc) }),
  state: (result) => {
    const { files } = dataOf<OutputOf<typeof readFilesManifest>>(result)
    return {
      files: files.map((file) =>
        file.error === undefined ? fileState(file.path, file) : { filename: baseName(file.path), error: file.error },
      ),
    }
  },
})

function linesOf(loc: readonly number[] = defaultRange): { readonly offset: number; readonly limit: number } {
  const [start, end] = loc as readonly [number, number]
  if (end > start) return { offset: start, limit: end - start }
  throw new ToolError("invalid_args", `Cannot read lines [${start}, ${end}]: the end must be after the start`)
}

/** Our reader names its own arguments where a page ends; here the next page is a range. */
function inTheirWords(result: ToolResult, lines: number): string {
  const said = textOf(result)
  const { start_line, next_offset, next_byte_offset } = dataOf<OutputOf<typeof manifest>>(result)
  const next = next_offset ?? (next_byte_offset === undefined ? undefined : start_line)
  // The last place, because the file itself may hold the same words.
  const at = next === undefined ? -1 : said.lastIndexOf("; go on ")
  if (at < 0) return said
  return `${said.slice(0, at)}; go on with loc [${next}, ${next! + lines}]${said.slice(said.indexOf("]", at))}`
}

function fileState(path: string, { content, start_line, line_count, total_lines }: Page) {
  const start = Math.max(0, start_line - 1)
  const whole = total_lines !== undefined && line_count === total_lines
  return {
    content,
    filename: baseName(path),
    fileType: extensionOf(path),
    loc: [start, start + line_count],
    charCount: content.length,
    ...(whole && { totalCharCount: content.length }),
    ...(total_lines !== undefined && { totalLineCount: total_lines }),
  }
}
